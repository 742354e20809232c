import fc from "fast-check";
import { expect, test } from "vitest";
import { ChangeCursor, type LoggedChange } from "../../src/server/nodes/change-cursor.ts";

/** Transactions that begin in one order and end in another. */
class Log {
  next = 10;
  readonly open = new Set<number>();
  readonly committed: LoggedChange[] = [];

  get oldestOpen(): number {
    return Math.min(this.next, ...this.open);
  }

  visible(from: number): LoggedChange[] {
    return this.committed.filter(({ transaction }) => transaction >= from);
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: "begin" as const, which: 0 }) },
  fc.record({ kind: fc.constant("commit" as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant("roll back" as const), which: fc.nat(5) }),
  { weight: 2, arbitrary: fc.constant({ kind: "read" as const, which: 0 }) },
  fc.constant({ kind: "read in vain" as const, which: 0 }),
);

test("every change is seen once, in whatever order transactions end", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const log = new Log();
      const cursor = new ChangeCursor(log.oldestOpen);
      const seen: number[] = [];
      const read = () => {
        const changes = log.visible(cursor.from);
        const fresh = cursor.fresh(changes);
        seen.push(...fresh.map(({ nodeId }) => nodeId));
        cursor.advance(changes, log.oldestOpen);
      };
      for (const { kind, which } of steps) {
        const chosen = [...log.open][which % Math.max(1, log.open.size)];
        if (kind === "begin") log.open.add(log.next++);
        if (kind === "read") read();
        // What is read and could not be taken in is read again.
        if (kind === "read in vain") cursor.fresh(log.visible(cursor.from));
        if (chosen === undefined) continue;
        if (kind === "commit") {
          for (const nodeId of [chosen * 2, chosen * 2 + 1]) {
            log.committed.push({ transaction: chosen, ownerId: 1, nodeId });
          }
        }
        if (kind === "commit" || kind === "roll back") log.open.delete(chosen);
      }
      read();
      expect(seen).toEqual(log.committed.map(({ nodeId }) => nodeId));
    }),
    { numRuns: 2_000 },
  );
});
