import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../../src/server/checks/finding.ts";
import { CheckRecords, type CheckRecord } from "../../src/server/checks/records.ts";
import { CheckStore } from "../../src/server/checks/store.ts";
import { HOUR_MS } from "../../src/server/lib/clock.ts";
import { Reporting } from "../support/reporting.ts";

const HOUR = Date.parse("2026-03-10T12:00:00.000Z");
const A = "tcp://192.0.2.1:1";
const B = "ws://[2001:db8::1]:2";
const up: Finding = { isOnline: true, latencyMs: 12, handshake: "refused" };
const down: Finding = { isOnline: false, error: "Connection refused" };

describe.each(["sqlite", "postgres"] as const)("stored checks on %s", (dialect) => {
  let reporting: Reporting;
  let store: CheckStore;
  let ids: number[];

  beforeEach(async () => {
    reporting = await Reporting.start(dialect, 3);
    store = new CheckStore(reporting.database);
    ids = Array.from(reporting.fleet.slotsById(), (slot) => reporting.fleet.columns.id[slot] ?? 0);
  });
  afterEach(() => reporting.end());

  const id = (node: number) => ids[node - 1] ?? 0;
  const read = (node: number) => store.read(id(node), 0);

  /** Findings of a node at a time, as records. */
  function found(node: number, findings: Record<string, Finding>, at: number): CheckRecord[] {
    const records = new CheckRecords();
    records.add(id(node), new Map(Object.entries(findings)), at);
    return records.take();
  }

  function foundEverywhere(at: number): CheckRecord[] {
    return [1, 2, 3].flatMap((node) => found(node, { [A]: up, [B]: up }, at));
  }

  it("adds up what is found within an hour, under the latest verdict", async () => {
    await store.add([...found(1, { [A]: up, [B]: up }, HOUR), ...found(2, { [A]: down }, HOUR)]);
    await store.add(found(1, { [A]: down, [B]: up }, HOUR + 60_000));
    await store.add(found(1, { [A]: up, [B]: down }, HOUR + HOUR_MS));
    const shared = { node_id: id(1), connection: A };
    expect((await read(1)).filter((each) => each.connection === A)).toEqual([
      {
        ...shared,
        at: HOUR,
        checked_at: HOUR + 60_000,
        checks: 2,
        reachable: 1,
        overlay: 1,
        latency_sum: 12,
        is_online: 0,
        latency_ms: -1,
        handshake: null,
        error: "Connection refused",
      },
      {
        ...shared,
        at: HOUR + HOUR_MS,
        checked_at: HOUR + HOUR_MS,
        checks: 1,
        reachable: 1,
        overlay: 1,
        latency_sum: 12,
        is_online: 1,
        latency_ms: 12,
        handshake: "refused",
        error: null,
      },
    ]);
    expect((await read(2)).map((each) => each.checks)).toEqual([1]);
    expect(await store.read(id(1), HOUR + 1)).toHaveLength(2);
  });

  it("takes the same records twice for once: an answer may have been lost", async () => {
    const records = found(1, { [A]: up }, HOUR);
    await store.add(records);
    await store.add(records);
    expect((await read(1)).map((each) => each.checks)).toEqual([1]);
  });

  it("keeps what could not be checked, which is no check", async () => {
    await store.add(found(1, { [A]: { isOnline: null, error: "Private" } }, HOUR));
    expect(await read(1)).toMatchObject([{ checks: 0, is_online: null, error: "Private" }]);
  });

  it("drops what the node does not have any more, and nothing of another node", async () => {
    await store.add([...found(1, { [A]: up, [B]: up }, HOUR), ...found(2, { [A]: up }, HOUR)]);
    await store.add([
      ...found(1, { [B]: up }, HOUR + HOUR_MS),
      ...found(3, { [A]: up }, HOUR + HOUR_MS),
    ]);
    expect((await read(1)).map((each) => each.connection)).toEqual([B, B]);
    expect((await read(2)).map((each) => each.connection)).toEqual([A]);
  });

  it("passes over nodes that are gone, and rows go with their node", async () => {
    await store.add([...found(1, { [A]: up }, HOUR), ...found(2, { [A]: up }, HOUR)]);
    await reporting.database.db.deleteFrom("nodes").where("id", "=", id(1)).execute();
    await store.add([
      ...found(1, { [A]: up }, HOUR + 60_000),
      ...found(2, { [A]: up }, HOUR + 60_000),
    ]);
    await store.add(found(1, { [A]: up }, HOUR + 120_000));
    expect(await read(1)).toEqual([]);
    expect((await read(2)).map((each) => each.checks)).toEqual([2]);
  });

  it("drops old hours, some at a time", async () => {
    for (let hour = 0; hour < 5; hour++) {
      await store.add(found(1, { [A]: up, [B]: up }, HOUR + hour * HOUR_MS));
    }
    const before = HOUR + 3 * HOUR_MS;
    expect(await store.drop(before, 4)).toBe(4);
    expect(await store.drop(before, 4)).toBe(2);
    expect(await store.drop(before, 4)).toBe(0);
    expect(await read(1)).toHaveLength(4);
  });

  it("holds beside an owner's deletion of all nodes and reports that are folded", async () => {
    await Promise.all([
      ...Array.from({ length: 20 }, (_, index) =>
        store.add(foundEverywhere(HOUR + index * HOUR_MS)),
      ),
      ...[1, 2, 3].map((node) => reporting.report(node)),
      reporting.reports.runWorkersOnce(),
      reporting.database.db.deleteFrom("nodes").where("id", "=", id(2)).execute(),
    ]);
    expect(await read(1)).toHaveLength(40);
    expect(await read(2)).toEqual([]);
    expect(await read(3)).toHaveLength(40);
  });
});
