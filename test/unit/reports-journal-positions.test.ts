import fc from "fast-check";
import { expect, test } from "vitest";
import { JournalPositions, type JournalPage } from "../../src/server/reports/journal-positions.ts";

/** A journal as the database holds it, and what was ever stored in it. */
class Journal {
  readonly stored: number[] = [];
  seq = 0;
  folded = 0;
  dropped = 0;

  page(instance: string, behind: number, limit: number): JournalPage {
    const rows = this.stored
      .filter((seq) => seq > this.dropped && seq > behind)
      .slice(0, limit)
      .map((seq) => ({ instance, seq, batch: Uint8Array.of(seq) }));
    return { journals: [{ instance, dropped: this.dropped }], rows };
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("append" as const), who: fc.nat(1) }) },
  fc.record({ kind: fc.constant("fail" as const), who: fc.nat(1) }),
  fc.record({ kind: fc.constant("fold" as const), who: fc.nat(1) }),
  fc.record({ kind: fc.constant("drop" as const), who: fc.nat(1) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("read" as const),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  fc.record({ kind: fc.constant("late read" as const) }),
);

test("every batch is taken in once and in order, or its loss is noticed", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const journals = [new Journal(), new Journal()] as const;
      const positions = new JournalPositions();
      const taken: number[][] = [[], []];
      let isLost = false;
      // A page that was read before others and comes after them.
      let held: JournalPage[] = [];
      const takeIn = (pages: JournalPage[]) => {
        for (const part of pages) {
          const batches = positions.take(part);
          if (!batches) isLost = true;
          const who = Number(part.journals[0]?.instance);
          taken[who]?.push(...(batches ?? []).map((batch) => batch[0] as number));
        }
      };
      const read = (limit: number) =>
        journals.map((journal, who) => journal.page(String(who), positions.of(String(who)), limit));
      for (const each of steps) {
        if (isLost) break;
        const journal = "who" in each ? (journals[each.who] as Journal) : undefined;
        if (each.kind === "append") journal?.stored.push(++journal.seq);
        if (each.kind === "fail" && journal) journal.seq++;
        if (each.kind === "fold" && journal) journal.folded = journal.stored.at(-1) ?? 0;
        if (each.kind === "drop" && journal) journal.dropped = journal.folded;
        if (each.kind === "read") {
          const pages = read(each.limit);
          takeIn(pages);
          if (held.length === 0) held = pages;
        }
        if (each.kind === "late read") {
          takeIn(held);
          held = [];
        }
      }
      if (!isLost) takeIn(read(100));
      for (const [who, journal] of journals.entries()) {
        const seen = taken[who] as number[];
        expect(seen).toEqual(isLost ? journal.stored.slice(0, seen.length) : journal.stored);
      }
      // A loss is noticed only when there may be one.
      return !isLost || journals.some((journal) => journal.dropped > 0);
    }),
    { numRuns: 2_000 },
  );
});

function page(dropped: number, ...seqs: number[]): JournalPage {
  return {
    journals: [{ instance: "a", dropped }],
    rows: seqs.map((seq) => ({ instance: "a", seq, batch: Uint8Array.of(seq) })),
  };
}

test("a number that was never stored is no gap, rows that were dropped unread are one", () => {
  const positions = new JournalPositions();
  expect(positions.take(page(0, 1, 2, 5))).toHaveLength(3);
  expect(positions.take(page(5, 5, 6))).toEqual([Uint8Array.of(6)]);
  expect(positions.take(page(7, 8))).toBeUndefined();
  positions.reset([["a", 8]]);
  expect(positions.take(page(8, 9))).toEqual([Uint8Array.of(9)]);
});
