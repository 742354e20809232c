import { beforeEach, describe, expect, test } from "vitest";
import type { Finding } from "../../src/server/checks/finding.ts";
import { CheckRecords, type CheckRecord } from "../../src/server/checks/records.ts";
import { CheckWriter } from "../../src/server/checks/writer.ts";
import { HOUR_MS } from "../../src/server/lib/clock.ts";
import { createLogger } from "../../src/server/lib/logger.ts";

const HOUR = Date.parse("2026-03-10T12:00:00.000Z");
const A = "tcp://192.0.2.1:1";
const B = "ws://192.0.2.1:2";
const down: Finding = { isOnline: false, error: "Connection refused" };
const refused: Finding = { isOnline: null, error: "Private addresses are not checked" };

function up(latencyMs: number, handshake: "refused" | "not_overlay" | "not_tried" = "refused") {
  return { isOnline: true, latencyMs, handshake } satisfies Finding;
}

let records: CheckRecords;
beforeEach(() => {
  records = new CheckRecords();
});

function add(node: number, found: Record<string, Finding>, now: number): void {
  records.add(node, new Map(Object.entries(found)), now);
}

describe("findings", () => {
  test("of a connection add up within the hour; the last one is the verdict", () => {
    add(1, { [A]: up(10), [B]: down }, HOUR);
    add(1, { [A]: up(20, "not_overlay"), [B]: down }, HOUR + 60_000);
    add(1, { [A]: down, [B]: up(5, "not_tried") }, HOUR + 120_000);
    expect(records.take()).toEqual([
      {
        nodeId: 1,
        connection: A,
        at: HOUR,
        checkedAt: HOUR + 120_000,
        finding: down,
        checks: 3,
        reachable: 2,
        overlay: 1,
        latencySum: 30,
      },
      {
        nodeId: 1,
        connection: B,
        at: HOUR,
        checkedAt: HOUR + 120_000,
        checks: 3,
        reachable: 1,
        overlay: 0,
        latencySum: 5,
        finding: up(5, "not_tried"),
      },
    ]);
    expect(records.take()).toEqual([]);
  });

  test("of the next hour are apart", () => {
    add(1, { [A]: up(10) }, HOUR + HOUR_MS - 1);
    add(1, { [A]: up(10) }, HOUR + HOUR_MS);
    expect(records.take().map((each) => [each.at, each.checks])).toEqual([
      [HOUR, 1],
      [HOUR + HOUR_MS, 1],
    ]);
  });

  test("that are no checks count as none", () => {
    add(1, { [A]: refused }, HOUR);
    expect(records.take()).toMatchObject([{ checks: 0, reachable: 0, finding: refused }]);
  });

  test("are given up when too many wait, while those that wait already still add up", () => {
    for (let node = 1; node <= 20_001; node++) add(node, { [A]: down }, HOUR);
    expect(records.size).toBe(20_000);
    expect(records.lost).toBe(1);
    add(1, { [A]: up(1) }, HOUR + 1);
    expect(records.lost).toBe(1);
    expect(records.take()[0]).toMatchObject({ nodeId: 1, checks: 2, reachable: 1 });
  });
});

/** A storage that fails when told to, with the records it was given. */
class Storage {
  readonly batches: CheckRecord[][] = [];
  failure: Error | undefined;
  async add(batch: readonly CheckRecord[]): Promise<void> {
    await Promise.resolve();
    if (this.failure) throw this.failure;
    this.batches.push([...batch]);
  }
  get checks(): number {
    return this.batches.flat().reduce((sum, each) => sum + each.checks, 0);
  }
}

class Unavailable extends Error {}

describe("the writer", () => {
  let storage: Storage;
  let writer: CheckWriter;
  beforeEach(() => {
    storage = new Storage();
    writer = new CheckWriter({
      records,
      store: storage,
      isUnavailable: (error) => error instanceof Unavailable,
      logger: createLogger("silent"),
    });
  });

  test("writes by node, and few at a time", async () => {
    for (let node = 1; node <= 150; node++) add(node, { [A]: up(1), [B]: down }, HOUR);
    await writer.flush();
    expect(storage.batches.map((batch) => batch.length)).toEqual([100, 100, 100]);
    expect(storage.batches.flat().map((each) => each.nodeId)).toEqual(
      Array.from({ length: 300 }, (_, index) => Math.floor(index / 2) + 1),
    );
  });

  test("never tears the connections of a node apart", async () => {
    for (let node = 1; node <= 40; node++) {
      add(node, { [A]: up(1), [B]: down, "wss://192.0.2.1:3": down }, HOUR);
    }
    await writer.flush();
    expect(storage.batches.map((batch) => batch.length)).toEqual([102, 18]);
  });

  test("tries the same records again after an outage, and then what came meanwhile", async () => {
    add(1, { [A]: up(1) }, HOUR);
    storage.failure = new Unavailable();
    await writer.flush();
    add(1, { [A]: down }, HOUR + 60_000);
    add(1, { [A]: down }, HOUR + 120_000);
    await writer.flush();
    storage.failure = undefined;
    await writer.flush();
    expect(storage.batches.map(([each]) => [each?.checks, each?.checkedAt])).toEqual([
      [1, HOUR],
      [2, HOUR + 120_000],
    ]);
  });

  test("holds no more than it may through a long outage", async () => {
    storage.failure = new Unavailable();
    for (let hour = 0; hour < 3; hour++) {
      for (let node = 1; node <= 30_000; node++) add(node, { [A]: down }, HOUR + hour * HOUR_MS);
      await writer.flush();
    }
    storage.failure = undefined;
    await writer.flush();
    expect(storage.checks).toBe(40_000);
    expect(records.lost).toBe(50_000);
    expect(records.size).toBe(0);
  });

  test("gives up records that can never be written, and goes on with the others", async () => {
    for (let node = 1; node <= 101; node++) add(node, { [A]: up(1) }, HOUR);
    const failing = storage.add.bind(storage);
    storage.add = (batch) =>
      batch.length === 100 ? Promise.reject(new Error("a defect")) : failing(batch);
    await writer.flush();
    expect(storage.checks).toBe(1);
    await writer.flush();
    expect(storage.checks).toBe(1);
  });

  test("writes each record once, however many ask for it at once", async () => {
    for (let node = 1; node <= 250; node++) add(node, { [A]: up(1) }, HOUR);
    await Promise.all([writer.flush(), writer.flush(), writer.flush()]);
    expect(storage.checks).toBe(250);
    expect(storage.batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
  });
});
