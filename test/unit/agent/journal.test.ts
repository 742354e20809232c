import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Journal } from "../../../src/agent/journal.ts";
import { fromText, toText } from "../../../src/agent/ledger-text.ts";
import { emptyLedger, type Ledger } from "../../../src/agent/ledger.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-agent-journal-"));
});
afterEach(() => rm(folder, { recursive: true }));

const owing = (owed: bigint): Ledger => ({ ...emptyLedger, owed });
const open = () => new Journal(folder, "journal");

const count = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const ledgers: fc.Arbitrary<Ledger> = fc.record({
  source: fc.option(fc.string(), { nil: undefined }),
  counters: fc
    .array(fc.tuple(fc.string(), fc.record({ life: fc.string(), in: count, out: count })))
    .map((entries) => new Map(entries)),
  owed: count,
  pending: fc.option(
    fc.record({
      id: fc.uuid(),
      madeAt: fc.nat(),
      bytes: count,
      load: fc.record({
        bandwidth: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
        connections: fc.nat(),
        status: fc.constantFrom("online" as const, "offline" as const),
        version: fc.option(fc.string(), { nil: undefined }),
        intervalSeconds: fc.nat(),
      }),
    }),
    { nil: undefined },
  ),
  answer: fc.option(fc.record({ usedTraffic: fc.nat(), resetDate: fc.string() }), {
    nil: undefined,
  }),
});

test("any ledger is read as it was written", () => {
  fc.assert(
    fc.property(ledgers, (ledger) => {
      expect(fromText(toText(ledger))).toEqual(ledger);
    }),
  );
});

test("a new one is empty, and then holds what was saved last", async () => {
  expect(await open().load()).toEqual(emptyLedger);
  const journal = open();
  for (const owed of [1n, 2n, 3n]) {
    await journal.save(owing(owed));
    expect(await open().load()).toEqual(owing(owed));
  }
  expect((await readdir(folder)).sort()).toEqual(["journal.0", "journal.1"]);
  expect((await stat(join(folder, "journal.0"))).mode & 0o777).toBe(0o600);
});

test("a page that was not finished is the one before, at whatever byte it ended", async () => {
  const journal = open();
  await journal.save(owing(1n));
  await journal.save(owing(2n));
  const path = join(folder, "journal.0");
  const whole = await readFile(path);
  for (let length = 0; length < whole.length; length++) {
    await writeFile(path, whole);
    await truncate(path, length);
    expect(await open().load()).toEqual(owing(1n));
  }
  const survivor = open();
  await survivor.load();
  await survivor.save(owing(7n));
  expect(await open().load()).toEqual(owing(7n));
});

test("a first page that was not finished is none", async () => {
  await writeFile(join(folder, "journal.1"), "1 abc");
  expect(await open().load()).toEqual(emptyLedger);
});

test("two damaged pages are never taken for an empty journal", async () => {
  await writeFile(join(folder, "journal.0"), "x");
  await writeFile(join(folder, "journal.1"), "x");
  await expect(open().load()).rejects.toThrow("is damaged");
});

test("a page of a newer program is refused", async () => {
  const journal = open();
  await journal.save(owing(1n));
  const { createHash } = await import("node:crypto");
  const text = `2 {"format":2}`;
  const sum = createHash("sha256").update(text).digest("hex");
  await writeFile(join(folder, "journal.0"), `2 ${sum} {"format":2}\n`);
  await expect(open().load()).rejects.toThrow("unknown format 2");
});

test("a folder that cannot be written is said in words", async () => {
  await writeFile(join(folder, "file"), "");
  const journal = new Journal(join(folder, "file"), "journal");
  await expect(journal.save(emptyLedger)).rejects.toThrow("The journal cannot be written");
});
