import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundleAgent } from "../../../scripts/bundle-agent.ts";
import { ADMIN, logIn, setUp } from "../../support/accounts.ts";
import { createNode, type CreatedNode } from "../../support/nodes.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { AgentProcess } from "./agent-process.ts";
import { FakedMachine } from "./faked-machine.ts";

/** A Node that the machine has beside ours, or ours: the bundle runs on any from 20 on. */
function otherNode(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const programs = folders
    .filter((each) => !each.includes("node_modules"))
    .map((each) => join(each, "node"));
  const found = programs.find((program) => {
    const version = /^v(\d+)/.exec(spawnSync(program, ["--version"]).stdout?.toString() ?? "");
    return Number(version?.[1]) >= 20;
  });
  return found ?? process.execPath;
}

let service: TestService;
let built: string;
let folder: string;
let machine: FakedMachine;
let node: CreatedNode;
let nodes = 0;
const agents: AgentProcess[] = [];

beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "waypost-agent-bundle-"));
  await bundleAgent(join(built, "agent.mjs"));
  service = await startTestService();
  await setUp(service);
});
afterAll(async () => {
  await service.stop();
  await rm(built, { recursive: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-agent-"));
  machine = new FakedMachine(folder);
  await machine.show("boot-1", 5_000, 500);
  await machine.connect(2);
  const session = await logIn(service, ADMIN);
  node = await createNode(service, session, { node_name: `node-${++nodes}` });
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.kill()));
  await rm(folder, { recursive: true });
});

function start(parameters: string[], env: Record<string, string> = {}): AgentProcess {
  const agent = new AgentProcess({
    program: [otherNode(), join(built, "agent.mjs")],
    parameters: [
      `--url=${service.origin}`,
      `--email=${ADMIN}`,
      `--node=${node.name}`,
      `--proc=${machine.proc}`,
      `--sys=${machine.sys}`,
      `--overlay-cli=${machine.overlayCli}`,
      `--state-dir=${join(folder, "state")}`,
      "--interval=1",
      ...parameters,
    ],
    env: { WAYPOST_REPORT_TOKEN: node.token, ...env },
  });
  agents.push(agent);
  return agent;
}

interface Shown {
  used_traffic: number;
  connection_count: number;
  status: string;
}

async function shown(): Promise<Shown> {
  const token = await logIn(service, ADMIN);
  const { body } = await service.request("GET", "/api/nodes/my", { token });
  const list = body.nodes as (Shown & { node_name: string })[];
  const { used_traffic, connection_count, status } = list.find(
    ({ node_name }) => node_name === node.name,
  ) as Shown;
  return { used_traffic, connection_count, status };
}

const once = async () => (await start(["--once"]).ended()).code;

/** Of an overlay in the life in which it has this peer id. */
const metrics = (rx: number) => [
  { name: "traffic_bytes_rx", value: rx, labels: { network_name: "net" } },
  { name: "traffic_bytes_forwarded", value: 1_000, labels: { network_name: "net" } },
  { name: "traffic_control_bytes_tx", value: 10, labels: { network_name: "net" } },
];
const overlayAnswers = (peer: number, rx: number) => ({
  "node info": { peer_id: peer, hostname: "relay", version: "2.5.0" },
  "stats show": metrics(rx),
  "-v peer": [{ route: {}, peer: { conns: [{ is_closed: false }] } }],
  "peer list-foreign": { foreign_networks: { other: { peers: [{}, {}] } } },
});

describe("the agent as one file", () => {
  test("reports once and ends, and the next time what has passed since", async () => {
    expect(await once()).toBe(0);
    expect(await shown()).toEqual({ used_traffic: 0, connection_count: 2, status: "online" });
    await machine.show("boot-1", 1_000_005_000, 700);
    await machine.connect(3);
    expect(await once()).toBe(0);
    expect(await shown()).toEqual({
      used_traffic: 1.0000002,
      connection_count: 3,
      status: "online",
    });
    // The machine starts again: all that it shows is new, though it shows more.
    await machine.show("boot-2", 2_000_000_000, 0);
    expect(await once()).toBe(0);
    expect((await shown()).used_traffic).toBe(3.0000002);
  });

  test("says that the node is offline when it is told to end, and is quiet before", async () => {
    const agent = start([]);
    await expect.poll(async () => (await shown()).status).toBe("online");
    await machine.show("boot-1", 6_000, 500);
    const { code, events, out } = await agent.terminate();
    expect([code, out]).toEqual([0, ""]);
    expect(events.map(({ event }) => event)).toEqual(["started", "reporting", "stopped"]);
    expect(await shown()).toEqual({
      used_traffic: 0.000001,
      connection_count: 2,
      status: "offline",
    });
  });

  test("counts what the overlay counts, where its program is", async () => {
    await machine.answer(overlayAnswers(1, 100));
    expect(await once()).toBe(0);
    await machine.answer(overlayAnswers(1, 3_100));
    expect(await once()).toBe(0);
    expect(await shown()).toEqual({
      used_traffic: 0.000003,
      connection_count: 3,
      status: "online",
    });
    // It starts again: 4000 + 2 * 1000 + 10.
    await machine.answer(overlayAnswers(2, 4_000));
    expect(await once()).toBe(0);
    expect((await shown()).used_traffic).toBe(0.00000901);
  });

  test("says that a node whose overlay is down is offline, and why", async () => {
    await machine.answer({});
    const { code, events } = await start(["--once"]).ended();
    expect(code).toBe(0);
    expect(events[0]).toMatchObject({
      event: "source_unreadable",
      message: "The overlay does not answer: Error: failed to connect to the portal",
    });
    expect(await shown()).toEqual({ used_traffic: 0, connection_count: 0, status: "offline" });
  });

  test("says what must be put right when it is refused, keeps the traffic, and never the token", async () => {
    expect(await once()).toBe(0);
    await machine.show("boot-1", 9_000, 500);
    const { token } = node;
    node = { ...node, token: "another-token" };
    const { code, err } = await start(["--once"]).ended();
    expect(code).toBe(1);
    expect(err).toContain(
      "The service refuses this node (403): The report token is not this node's",
    );
    node = { ...node, token };
    const state = join(folder, "state");
    const files = await Promise.all(
      (await readdir(state)).map((name) => readFile(join(state, name), "utf8")),
    );
    for (const text of [err, ...files]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain("another-token");
    }
    expect(await once()).toBe(0);
    expect((await shown()).used_traffic).toBe(0.000004);
  });

  test("shows what it would send, and sends and writes nothing", async () => {
    const { code, out } = await start(["--print"]).ended();
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      node_name: node.name,
      token: "[not shown]",
      reported_traffic: 0,
    });
    expect((await shown()).status).toBe("offline");
    expect(await readdir(folder)).not.toContain("state");
  });

  test("checks all that a report needs", async () => {
    const good = await start(["--check"]).ended();
    expect(good.out.match(/^ok {6}/gm)).toHaveLength(4);
    expect(good.code).toBe(0);
    const bad = await start([
      "--check",
      "--url",
      "http://127.0.0.1:1",
      "--interface",
      "eth7",
    ]).ended();
    expect(bad.code).toBe(1);
    expect(bad.out).toContain("FAILED  counters: There is no interface eth7");
    expect(bad.out).toMatch(/^FAILED {2}service: /m);
  });

  test("takes the token from a file, and does not share a journal", async () => {
    const file = join(folder, "token");
    await writeFile(file, `${node.token}\n`);
    const env = { WAYPOST_REPORT_TOKEN: "", WAYPOST_REPORT_TOKEN_FILE: file };
    const agent = start([], env);
    await expect.poll(() => agent.events.at(-1)?.event, { timeout: 10_000 }).toBe("reporting");
    const second = await start([], env).ended();
    expect([second.code, second.events[0]?.message]).toEqual([
      1,
      expect.stringMatching(/^Another agent works with /),
    ]);
  });

  test("called in a wrong way it ends with 2, and with help with 0", async () => {
    const wrong = await start(["--token", "secret"]).ended();
    expect([wrong.code, wrong.err]).toEqual([2, "Unknown option '--token'\nSee --help.\n"]);
    const help = await start(["--help"]).ended();
    expect([help.code, help.out]).toEqual([0, expect.stringMatching(/^Usage: waypost agent /)]);
  });
});
