import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createReporters,
  EMAIL,
  PASSWORD,
  shownTraffic,
} from "../durability/fleet-of-reporters.ts";
import { ReportStorm, type StormNode } from "../durability/report-storm.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { logIn } from "../support/accounts.ts";
import { InstanceGroup, InTurnClient, until } from "../support/instance-group.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { newPostgresDatabase } from "../support/postgres.ts";

const NAMES = ["one", "two", "three"];
let url: string;
let group: InstanceGroup;
let nodes: StormNode[];
let session: string;
let storm: ReportStorm;

beforeAll(async () => {
  url = await newPostgresDatabase();
  group = await InstanceGroup.start(url, NAMES);
  nodes = await createReporters(group.get("one"), 5);
  session = await logIn(group.get("two"), EMAIL, PASSWORD);
  storm = new ReportStorm(EMAIL, nodes);
});
afterAll(() => group.clear());

const others = () => [group.get("two"), group.get("three")];

/** How a node shows on an instance to its owner; undefined when it does not. */
async function seen(
  instance: ServiceProcess,
  id: number,
): Promise<Record<string, unknown> | undefined> {
  const answer = await instance.request("GET", `/api/nodes/${id}`, { token: session });
  return answer.status === 200 ? (answer.body.node as Record<string, unknown>) : undefined;
}

async function everywhere(holds: (instance: ServiceProcess) => Promise<boolean>): Promise<void> {
  for (const instance of group.running) await until(() => holds(instance));
}

/** The sums of all instances, none of which is asked before it knows what was acknowledged. */
async function expectRightSums(): Promise<void> {
  const expected = new Map(nodes.map((node) => [node.name, storm.expected(node)]));
  const isRight = async (instance: ServiceProcess) => {
    const shown = await shownTraffic(instance);
    return nodes.every((node) => shown.get(node.name) === expected.get(node.name));
  };
  await everywhere(isRight).catch(() => {});
  for (const instance of group.running) {
    const shown = await shownTraffic(instance);
    expect(new Map(nodes.map((node) => [node.name, shown.get(node.name)]))).toEqual(expected);
  }
}

test("a node and its reports are known everywhere, whichever instance is told", async () => {
  const node = await createNode(group.get("one"), session, { node_name: "wanderer" });
  // Its reports need not wait until everybody has heard of it.
  for (const [n, instance] of group.running.entries()) {
    const answer = await sendReport(instance, EMAIL, node, {
      reported_traffic: 1,
      connection_count: n + 1,
    });
    expect(answer.status).toBe(200);
  }
  await everywhere(async (instance) => (await seen(instance, node.id))?.["used_traffic"] === 3);
  await everywhere(async (instance) => (await seen(instance, node.id))?.["connection_count"] === 3);
  for (const instance of group.running)
    expect((await seen(instance, node.id))?.["status"]).toBe("online");

  const change = { tags: "moved", max_traffic: 500 };
  await group.get("two").request("PUT", `/api/nodes/${node.id}`, { token: session, body: change });
  await everywhere(async (instance) => (await seen(instance, node.id))?.["tags"] === "moved");

  const path = `/api/nodes/${node.id}/report-token`;
  const made = await group.get("three").request("POST", path, { token: session });
  const renewed = { ...node, token: made.body.report_token as string };
  expect((await sendReport(group.get("one"), EMAIL, renewed)).status).toBe(200);
  expect((await sendReport(group.get("two"), EMAIL, { ...node, token: "wpr_wrong" })).status).toBe(
    403,
  );

  const off = { token: session, body: { enabled: false } };
  await group.get("one").request("PUT", `/api/admin/nodes/${node.id}`, off);
  await everywhere(async (instance) => {
    const { body } = await instance.request("GET", "/api/public");
    return !(body.nodes as { id: number }[]).some((each) => each.id === node.id);
  });

  await group.get("two").request("DELETE", `/api/nodes/${node.id}`, { token: session });
  await everywhere(async (instance) => (await seen(instance, node.id)) === undefined);
  for (const instance of group.running) {
    expect((await sendReport(instance, EMAIL, renewed)).status).toBe(404);
  }
});

test("a report that is repeated at another instance counts once and gets the same answer", async () => {
  const node = await createNode(group.get("one"), session, { node_name: "repeater" });
  for (let round = 0; round < 20; round++) {
    const report = { report_id: `r-${round}`, reported_traffic: 1 };
    // An answer that knows less of the sum would be another one.
    await sendReport(group.get("one"), EMAIL, node, { reported_traffic: 1 });
    const first = await sendReport(group.get("one"), EMAIL, node, report);
    const again = await Promise.all(others().map((each) => sendReport(each, EMAIL, node, report)));
    for (const answer of again) expect([answer.status, answer.body]).toEqual([200, first.body]);
  }
  // Both at one moment: nobody can know of the other, and yet one of them counts.
  for (let round = 0; round < 20; round++) {
    const report = { report_id: `s-${round}`, reported_traffic: 1 };
    await Promise.all(group.running.map((each) => sendReport(each, EMAIL, node, report)));
  }
  await everywhere(async (instance) => (await seen(instance, node.id))?.["used_traffic"] === 60);
});

test("a session holds everywhere, and ends everywhere at once", async () => {
  const own = await logIn(group.get("one"), EMAIL, PASSWORD);
  const me = (instance: ServiceProcess) =>
    instance.request("GET", "/api/auth/me", { token: own }).then(({ status }) => status);
  for (const instance of group.running) expect(await me(instance)).toBe(200);
  await group.get("two").request("POST", "/api/auth/logout-everywhere", { token: own });
  for (const instance of group.running) expect(await me(instance)).toBe(401);
  session = await logIn(group.get("three"), EMAIL, PASSWORD);
});

test("two processes cannot be the same instance", async () => {
  const twin = group.run("one", { PORT: "0" });
  await expect(twin).rejects.toThrow(/is the instance one; give each one a WAYPOST_INSTANCE/);
});

test("instances are killed under load again and again: every report counts exactly once", async () => {
  const client = new InTurnClient(group);
  for (const victim of ["two", "one"]) {
    const ending = new AbortController();
    const running = storm.run(client, 300, ending.signal);
    await client.until(200, 100);
    await group.kill(victim);
    await client.until(200, 50);
    await group.run(victim);
    await client.until(200, 50);
    ending.abort();
    await running;
    await storm.settle(client);
    expect([storm.surprises, storm.unanswered]).toEqual([[], []]);
    await expectRightSums();
  }
});

test("what instances that died have left is folded once, by whoever comes", async () => {
  const client = new InTurnClient(group);
  const ending = new AbortController();
  const running = storm.run(client, 300, ending.signal);
  await client.until(200, 200);
  ending.abort();
  await running;
  await storm.settle(client);
  for (const name of NAMES) await group.kill(name);
  await group.run("four");
  await expectRightSums();
  expect(await group.terminate("four")).toBe(0);
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  const { rows } = await database.query(
    `select sum(used + used_rest)::float8 as sum, (select count(*)::int from report_journal j
       where seq > (select folded_seq from report_positions p where p.instance = j.instance)) as rest
     from node_live join nodes on nodes.id = node_id where node_name like 'node-%'`,
  );
  await database.end();
  const expected = nodes.reduce((sum, node) => sum + storm.expected(node), 0);
  expect(rows).toEqual([{ sum: expected, rest: 0 }]);
});
