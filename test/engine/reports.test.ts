import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Reporting } from "../support/reporting.ts";

const minute = 60_000;
const day = 86_400_000;

describe.each(["sqlite", "postgres"] as const)("reports on %s", (dialect) => {
  let reporting: Reporting;

  beforeEach(async () => {
    reporting = await Reporting.start(dialect, 3);
  });

  afterEach(() => reporting.end());

  it("adds traffic up and answers with the period's end", async () => {
    await reporting.report(1, { reported_traffic: 0.1 });
    const answer = await reporting.report(1, { reported_traffic: 0.2 });
    expect(answer).toEqual({
      message: "Report accepted",
      used_traffic: 0.3,
      max_traffic: 1000,
      reset_date: "2026-04-09T00:00:00.000Z",
    });
  });

  it("keeps every acknowledged report over a restart, also when nothing was folded", async () => {
    await Promise.all(Array.from({ length: 300 }, (_, n) => reporting.report((n % 3) + 1)));
    await reporting.restart();
    expect([1, 2, 3].map((node) => reporting.usedTraffic(node))).toEqual([10, 10, 10]);
    await reporting.restart();
    expect((await reporting.report(2)).used_traffic).toBe(10.1);
  });

  it("gives each of many simultaneous reports of one node its own running sum", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => reporting.report(1)));
    const sums = answers.map((answer) => answer.used_traffic).sort((a, b) => a - b);
    expect(sums).toEqual(Array.from({ length: 100 }, (_, n) => (n + 1) / 10));
  });

  it("starts the sum again when the period ends, with or without a report", async () => {
    await reporting.report(1, { reported_traffic: 5 });
    reporting.clock.set("2026-04-08T23:59:59.999Z");
    expect(reporting.usedTraffic(1)).toBe(5);
    reporting.clock.advance(1);
    expect(reporting.usedTraffic(1)).toBe(0);
    const answer = await reporting.report(1, { reported_traffic: 2 });
    expect(answer).toMatchObject({ used_traffic: 2, reset_date: "2026-05-09T00:00:00.000Z" });
    await reporting.restart();
    expect(reporting.usedTraffic(1)).toBe(2);
  });

  it("counts an id once, answers it the same, and forgets it after 24 hours", async () => {
    const first = await reporting.report(1, { report_id: "a" });
    await reporting.report(1, { report_id: "b" });
    expect(await reporting.report(1, { report_id: "a" })).toEqual(first);
    expect((await reporting.report(2, { report_id: "a" })).used_traffic).toBe(0.1);
    await reporting.restart();
    expect(await reporting.report(1, { report_id: "a", reported_traffic: 9 })).toEqual(first);
    expect(reporting.usedTraffic(1)).toBe(0.2);
    reporting.clock.advance(day + 1);
    expect((await reporting.report(1, { report_id: "a" })).used_traffic).toBe(0.3);
  });

  it("counts an id once when its repetitions arrive together", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => reporting.report(1, { report_id: "once" })),
    );
    expect(new Set(answers.map((answer) => answer.used_traffic))).toEqual(new Set([0.1]));
    expect(reporting.usedTraffic(1)).toBe(0.1);
  });

  it("still knows an id after it has been folded and dropped from memory", async () => {
    const first = await reporting.report(1, { report_id: "a" });
    await reporting.reports.runWorkersOnce();
    await reporting.report(1, { report_id: "b" });
    expect(await reporting.report(1, { report_id: "a" })).toEqual(first);
    expect(reporting.usedTraffic(1)).toBe(0.2);
  });

  it("lets a report's tier replace the owner's, also after a restart", async () => {
    reporting.clock.advance(1);
    await reporting.report(1, { tier_bandwidth: 40 });
    const slot = reporting.fleet.slotByKey("owner@example.org", "node-1") as number;
    expect(reporting.fleet.columns.tierBandwidth[slot]).toBe(40);
    await reporting.restart();
    expect(reporting.fleet.columns.tierBandwidth[slot]).toBe(40);
  });

  it("writes minutes, keeps the open one, and drops what is too old", async () => {
    for (let count = 0; count < 5; count++) {
      await reporting.report(1, { current_bandwidth: 30, reported_traffic: 1 });
      reporting.clock.advance(minute);
    }
    await reporting.reports.runWorkersOnce();
    const { db } = reporting.database;
    const rows = () => db.selectFrom("node_rollups").selectAll().orderBy("at").execute();
    const minutes = (await rows()).filter((row) => row.span === 60);
    expect(minutes).toHaveLength(4);
    expect(minutes[1]).toMatchObject({ up_ms: minute, bandwidth: 30, connections: 3, traffic: 1 });
    const open = await reporting.reports.openHistory(1);
    expect(open.find((bucket) => bucket.span === 3600)).toMatchObject({ traffic: 5 });
    reporting.clock.advance(2 * day);
    await reporting.reports.runWorkersOnce();
    expect((await rows()).filter((row) => row.span === 60)).toEqual([]);
  });

  it("samples the fleet each minute and sums hours up", async () => {
    await reporting.report(1, { current_bandwidth: 30, reported_traffic: 7 });
    for (let count = 0; count < 130; count++) {
      reporting.clock.advance(minute);
      await reporting.report(1, { current_bandwidth: 30, reported_traffic: 0 });
      await reporting.reports.runWorkersOnce();
    }
    const rows = await reporting.database.db
      .selectFrom("fleet_rollups")
      .selectAll()
      .where("span", "=", 3600)
      .orderBy("at")
      .execute();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ total_nodes: 3, online_nodes: 1, bandwidth: 30, traffic: 7 });
  });

  it("marks a silent node offline and still says so after a restart", async () => {
    await reporting.report(1);
    reporting.clock.advance(3 * minute);
    await reporting.reports.runWorkersOnce();
    const slot = reporting.fleet.slotByKey("owner@example.org", "node-1") as number;
    expect(reporting.fleet.shownStatus(slot, reporting.clock.now())).toBe("offline");
    await reporting.restart();
    expect(reporting.fleet.shownStatus(slot, reporting.clock.now())).toBe("offline");
    await reporting.report(1);
    await reporting.restart();
    expect(reporting.fleet.shownStatus(slot, reporting.clock.now())).toBe("online");
  });

  it("answers 404 to a report whose node is deleted while it is on the way", async () => {
    const slot = reporting.fleet.slotByKey("owner@example.org", "node-1") as number;
    const id = reporting.fleet.columns.id[slot] as number;
    const answer = reporting.report(1);
    reporting.fleet.remove(id);
    await expect(answer).rejects.toMatchObject({ code: "not_found" });
    expect((await reporting.report(2)).used_traffic).toBe(0.1);
  });

  it.each([
    [{ node_name: "nobody" }, "not_found"],
    [{ email: "else@example.org" }, "not_found"],
    [{ token: "wrong" }, "report_token_refused"],
    [{ status: "Online" }, "invalid_request"],
    [{ status: "expired" }, "invalid_request"],
    [{ reported_traffic: -1 }, "invalid_request"],
    [{ reported_traffic: Number.NaN }, "invalid_request"],
    [{ reported_traffic: 1_000_001 }, "invalid_request"],
    [{ reported_traffic: "1" }, "invalid_request"],
    [{ connection_count: 1.5 }, "invalid_request"],
    [{ report_id: "" }, "invalid_request"],
    [{ report_id: "x".repeat(65) }, "invalid_request"],
    [{ node_name: "nobody", status: "?" }, "invalid_request"],
  ])("refuses %o as %s", async (fields, code) => {
    await expect(reporting.report(1, fields)).rejects.toMatchObject({ code });
    expect(reporting.usedTraffic(1)).toBe(0);
  });

  it("reads the address without regard to case", async () => {
    expect((await reporting.report(1, { email: " OWNER@Example.org " })).used_traffic).toBe(0.1);
  });
});
