import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createLogger } from "../../src/server/lib/logger.ts";
import { Hints } from "../../src/server/instances/hints-postgres.ts";
import { encodeBatch } from "../../src/server/reports/record.ts";
import type { Rule } from "../../src/shared/api/stun.ts";
import { join, logIn } from "../support/accounts.ts";
import { EventReader } from "../support/event-reader.ts";
import { until } from "../support/instance-group.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createNode, sendReport, type CreatedNode } from "../support/nodes.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { createRule } from "../support/rules.ts";
import { startTestService, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";
const MINUTE_MS = 60_000;

const clock = new ManualClock();
let url: string;
let database: pg.Client;
let one: TestService;
let two: TestService;
let session: string;
let node: CreatedNode;

async function startInstance(name: string): Promise<TestService> {
  const env = { DATABASE_URL: url, INSTANCE: name };
  return startTestService({ env, clock, instances: { deadAfterMs: 1_500 } });
}

beforeAll(async () => {
  url = await newPostgresDatabase();
  database = new pg.Client({ connectionString: url });
  await database.connect();
  one = await startInstance("one");
  two = await startInstance("two");
  await join(one, OWNER);
});
beforeEach(async ({ task }) => {
  session = await logIn(one, OWNER);
  node = await createNode(one, session, { node_name: `node of ${task.id}` });
  await known(two);
});
afterAll(async () => {
  await database.end();
  await one.stop();
  await two.stop();
});

function shown(service: TestService, of = node): { used: number; status: string } | undefined {
  const { fleet } = service.service;
  const slot = fleet.slotOf(of.id);
  if (slot === undefined) return undefined;
  const now = service.clock.now();
  return { used: fleet.usedTraffic(slot, now), status: fleet.shownStatus(slot, now) };
}

async function known(service: TestService, of = node): Promise<void> {
  await until(async () => shown(service, of) !== undefined);
}

function report(service: TestService, fields: Record<string, unknown> = {}, of = node) {
  return sendReport(service, OWNER, of, { reported_traffic: 1, ...fields });
}

async function untilUsed(service: TestService, used: number): Promise<void> {
  await until(async () => shown(service)?.used === used);
}

async function advance(ms: number): Promise<void> {
  clock.advance(ms);
  for (const service of [one, two]) await service.service.reports.runWorkersOnce();
}

/** The owner becomes one. @returns the session */
async function joinAsAdministrator(): Promise<string> {
  await database.query("update users set is_admin = 1 where email = $1", [OWNER]);
  return session;
}

test("a node that reports elsewhere is not silent, and one that reports nowhere is", async () => {
  for (let minute = 1; minute <= 4; minute++) {
    await report(one);
    await untilUsed(two, minute);
    await advance(MINUTE_MS);
    expect([shown(one)?.status, shown(two)?.status]).toEqual(["online", "online"]);
  }
  await advance(2.5 * MINUTE_MS);
  expect([shown(one)?.status, shown(two)?.status]).toEqual(["offline", "offline"]);
  await report(two);
  await until(async () => shown(one)?.status === "online");
});

test("a period ends everywhere, and what is reported after it is summed anew", async () => {
  await report(one);
  await untilUsed(two, 1);
  clock.advance(31 * 24 * 60 * MINUTE_MS);
  expect([shown(one)?.used, shown(two)?.used]).toEqual([0, 0]);
  await report(two);
  await untilUsed(one, 1);
  expect(shown(two)?.used).toBe(1);
});

test("rows that were folded and dropped before they were read are noticed: all is read again", async () => {
  const removed = await createNode(two, session, { node_name: "removed" });
  await known(one, removed);
  await report(one, { report_id: "first" });
  await two.service.reports.runWorkersOnce();
  // In no table yet.
  await report(one, { report_id: "second" });
  await report(two, { report_id: "third" });
  await untilUsed(one, 3);
  await untilUsed(two, 3);
  // A third instance has taken a report that both have slept through, and changes of nodes.
  await database.query("begin");
  await database.query("update node_live set used = used + 10 where node_id = $1", [node.id]);
  await database.query("delete from nodes where id = $1", [removed.id]);
  await database.query(
    "insert into report_positions (instance, folded_seq, dropped_seq) values ('slept', 5, 5)",
  );
  await database.query("commit");
  for (const service of [one, two]) {
    await untilUsed(service, 13);
    expect(shown(service, removed)).toBeUndefined();
  }
  for (const id of ["first", "second", "third"]) {
    for (const service of [one, two]) await report(service, { report_id: id });
  }
  await report(two, { report_id: "fourth" });
  for (const service of [one, two]) await untilUsed(service, 14);
  await one.service.reports.runWorkersOnce();
  const stored = await database.query("select used from node_live where node_id = $1", [node.id]);
  expect(stored.rows).toEqual([{ used: 14 }]);
});

test("a journal that cannot be read makes an instance read all again; it takes no report meanwhile", async () => {
  await database.query("insert into report_positions (instance, folded_seq) values ('unread', 1)");
  await database.query(
    "insert into report_journal (instance, seq, batch) values ('unread', 2, 'no batch')",
  );
  await until(async () => (await report(one)).status === 503);
  await database.query("delete from report_journal where instance = 'unread'");
  await until(async () => (await report(one)).status === 200);
  const { used } = shown(one) as { used: number };
  await untilUsed(two, used);
  expect(used).toBeGreaterThan(0);
});

test("what fails while all is read again is done until it succeeds; no report is taken meanwhile", async () => {
  await report(one, { report_id: "folded" });
  await two.service.reports.runWorkersOnce();
  await report(one);
  await report(two);
  for (const service of [one, two]) await untilUsed(service, 3);
  await database.query("begin");
  await database.query(
    "insert into report_positions (instance, folded_seq, dropped_seq) values ('damaged', 5, 5)",
  );
  await database.query(
    "insert into report_journal (instance, seq, batch) values ('damaged', 6, 'no batch')",
  );
  await database.query("commit");
  // The tables are read, the journals are not.
  for (const service of [one, two]) await untilUsed(service, 1);
  for (const service of [one, two]) {
    const refused = await report(service);
    expect(refused.status).toBe(503);
    expect(refused.headers["retry-after"]).toBe("2");
  }
  await database.query("delete from report_journal where instance = 'damaged'");
  for (const service of [one, two]) await untilUsed(service, 3);
  await until(async () => (await report(one)).status === 200);
  for (const service of [one, two]) await untilUsed(service, 4);
  const loads = vi.spyOn(one.service.reports, "loadAgain");
  await report(two);
  await untilUsed(one, 5);
  expect(loads).not.toHaveBeenCalled();
});

test("a name that nobody has borne for long is forgotten, unless a rule needs it, and may return", async () => {
  const admin = await joinAsAdministrator();
  const rule = await createRule(one, admin, { name: "of old", instance: "kept", enabled: false });
  await database.query(
    `insert into instances (name, process, beat_at, ended)
       select name, 'x', 0, 1 from unnest(array['kept', 'forgotten']) as of(name)`,
  );
  await database.query(
    `insert into report_positions (instance, folded_seq, dropped_seq)
       values ('kept', 9, 9), ('forgotten', 9, 9)`,
  );
  const namesIn = async (table: string, column: string) => {
    const { rows } = await database.query(`select ${column} as name from ${table}`);
    return rows.map((row: { name: string }) => row.name);
  };
  const three = await startInstance("three");
  await three.stop();
  await one.request("DELETE", `/api/stun/rules/${rule.id}`, { token: admin });
  expect(await namesIn("instances", "name")).toContain("kept");
  expect(await namesIn("instances", "name")).not.toContain("forgotten");
  expect(await namesIn("report_positions", "instance")).toContain("kept");
  expect(await namesIn("report_positions", "instance")).not.toContain("forgotten");
  // Its journal begins anew.
  await until(async () => (await report(one)).status === 200);
  await untilUsed(two, 1);
  const { fleet } = two.service;
  const slot = fleet.slotOf(node.id) as number;
  const record = {
    nodeId: node.id,
    at: clock.now(),
    traffic: 5,
    bandwidth: 0,
    connections: 0,
    status: "online",
    periodStart: fleet.period(slot, clock.now()).start,
    intervalMs: fleet.columns.intervalMs[slot] as number,
    tierBandwidth: null,
    version: null,
    receipt: null,
  };
  await database.query("insert into instances values ('forgotten', 'x', 0, 1)");
  await database.query("insert into report_journal (instance, seq, batch) values ($1, 1, $2)", [
    "forgotten",
    encodeBatch([record]),
  ]);
  for (const service of [one, two]) await untilUsed(service, 6);
});

async function countJournalRows(): Promise<number> {
  const { rows } = await database.query("select count(*)::int as count from report_journal");
  return rows[0].count as number;
}

/** Those that are in no table yet, as Prometheus is told. */
async function countWaitingRows(): Promise<string | undefined> {
  const { body } = await one.request("GET", "/metrics");
  return /^waypost_report_journal_rows (\d+)$/m.exec(body as string)?.[1];
}

test("folded rows stay for the others for a while, and go then", async () => {
  const timePasses = async () => {
    await database.query("update report_positions set marked_at = marked_at - 60000");
    await two.service.reports.runWorkersOnce();
  };
  await one.service.reports.runWorkersOnce();
  for (let time = 0; time < 2; time++) await timePasses();
  expect(await countJournalRows()).toBe(0);
  await report(one);
  await untilUsed(two, 1);
  expect(await countWaitingRows()).toBe("1");
  for (let time = 0; time < 2; time++) await one.service.reports.runWorkersOnce();
  expect(await countJournalRows()).toBe(1);
  expect(await countWaitingRows()).toBe("0");
  for (let time = 0; time < 2; time++) await timePasses();
  expect(await countJournalRows()).toBe(0);
  await report(two);
  await untilUsed(one, 2);
  expect(shown(two)?.used).toBe(2);
});

test("an instance that starts while others take reports misses none", async () => {
  const ending = new AbortController();
  let taken = 0;
  const sending = (async () => {
    for (let count = 0; !ending.signal.aborted; count++) {
      const answer = await report(count % 2 === 0 ? one : two);
      // Who reads everything again refuses reports meanwhile.
      taken += Number(answer.status === 200);
      if (count % 20 === 0) await one.service.reports.runWorkersOnce();
    }
  })();
  const three = await startInstance("three");
  ending.abort();
  await sending;
  for (const service of [one, two, three]) await untilUsed(service, taken);
  expect(shown(three)).toEqual(shown(one));
  await three.stop();
});

test("accounts that are deleted take their nodes with them, everywhere", async () => {
  const administrator = await joinAsAdministrator();
  const other = await join(two, "other@example.com");
  const theirs = await createNode(two, other, { node_name: "theirs" });
  await known(one, theirs);
  const { rows } = await database.query("select id from users where email = 'other@example.com'");
  const answer = await one.request("DELETE", `/api/admin/users/${rows[0].id}`, {
    token: administrator,
  });
  expect(answer.status).toBe(200);
  await until(async () => shown(two, theirs) === undefined);
});

test("a lost listener listens again, and what was told meanwhile is looked at", async () => {
  let hints = 0;
  const parts = { url, logger: createLogger("silent"), isHeard: () => true };
  const hearing = new Hints({ ...parts, instance: "hearing", onHint: () => hints++ });
  const telling = new Hints({ ...parts, instance: "telling", onHint: () => {} });
  expect([await hearing.claimName(), await telling.claimName()]).toEqual([true, true]);
  telling.tell();
  await until(async () => hints === 1);
  await database.query(
    `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and objid = (hashtext('hearing')::bigint & 4294967295)`,
  );
  await until(async () => hints === 2);
  telling.tell();
  await until(async () => hints === 3);
  // The name is still its own.
  const twin = new Hints({ ...parts, instance: "hearing", onHint: () => {} });
  expect(await twin.claimName()).toBe(false);
  for (const each of [hearing, telling, twin]) await each.close();
});

test("readers of events hear of the rules of all instances, whichever they ask", async () => {
  const admin = await joinAsAdministrator();
  const reader = await EventReader.open(two, admin);
  const { id } = await createRule(one, admin, { name: "told of", settle_seconds: 0 });
  const isOpen = (rule: Rule) => rule.id === id && rule.state.status === "open";
  expect(await reader.find("stun_rule", isOpen)).toMatchObject({ name: "told of" });
  const baseline = await reader.find("stun_change", (change) => change.rule_id === id);
  expect(baseline).toMatchObject({ previous_ip: null, changed: [] });
  const fields = { token: admin, body: { name: "renamed", enabled: false } };
  await one.request("PUT", `/api/stun/rules/${id}`, fields);
  await reader.find("stun_rule", (rule) => rule.id === id && rule.state.status === "disabled");
  await one.request("DELETE", `/api/stun/rules/${id}`, { token: admin });
  await reader.find("stun_rule_removed", (removed) => removed.id === id);
  expect(reader.of("stun_change").filter((change) => change.rule_id === id)).toHaveLength(1);
  reader.close();
});

test("rules of an instance that dies are held by another one until it returns", async () => {
  const admin = await joinAsAdministrator();
  const rule = await createRule(one, admin, { name: "home" });
  const standInsAt = async (service: TestService) =>
    (await service.request("GET", "/api/stun/stand-ins", { token: admin })).body.stand_ins;
  expect(await standInsAt(two)).toEqual([]);
  await one.stop();
  await until(async () => (await standInsAt(two)).length > 0);
  expect(await standInsAt(two)).toEqual([{ rule_id: rule.id, instance: "two" }]);
  expect(two.service.stun.watcher.watches.has(rule.id)).toBe(true);
  one = await startInstance("one");
  await until(async () => one.service.stun.watcher.watches.has(rule.id));
  expect(two.service.stun.watcher.watches.has(rule.id)).toBe(false);
  expect(await standInsAt(one)).toEqual([]);
});
