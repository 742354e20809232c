import { copyFile, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test, vi } from "vitest";
import { help } from "../../src/agent/help.ts";
import { logIn } from "../support/accounts.ts";
import { Client } from "../support/client.ts";
import { commandFolder } from "../support/command-line.ts";
import { blockOf, readDocument, root, stopOf } from "../support/documents.ts";
import { createNode, sendReport, type CreatedNode } from "../support/nodes.ts";
import { RecordedPrograms } from "../support/recorded-programs.ts";
import { ShownCommand } from "../support/shown-command.ts";
import { readUnit } from "../support/unit-file.ts";
import { adapt, bare, toPattern, walk } from "../support/walked-document.ts";

/** Whom docs/agent.md calls the owner. */
const OWNER = "you@example.org";
const PASSWORD = "correct horse battery staple";

let folder: string;
let bin: string;
let service: ShownCommand;
let client: Client;
let session: string;
const started: ShownCommand[] = [];

/** Nodes by what docs/connect.md asks for: its address is that of the last. */
const others = [
  { name: "home", region_type: "domestic", allow_relay: 1, ip: "203.0.113.7" },
  { name: "far", region_type: "overseas", allow_relay: 0, ip: "203.0.113.14" },
  { name: "relay", region_type: "overseas", allow_relay: 1, ip: "203.0.113.21" },
];

/** The first start, as the README has it; the installation is what the tests stand on. */
async function startService(): Promise<ShownCommand> {
  const { commands } = stopOf("README.md", "npm ci && npm start");
  const env = {
    WAYPOST_PORT: "0",
    WAYPOST_DATA_DIR: join(folder, "data"),
    // Nobody outside is asked.
    WAYPOST_STUN_SERVERS: "127.0.0.1:1",
    WAYPOST_PORT_MAPPING: "off",
    npm_config_update_notifier: "false",
  };
  return ShownCommand.start(commands.replace("npm ci && ", ""), env, root);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-documents-"));
  bin = await commandFolder();
  service = await startService();
  await vi.waitUntil(() => /^curl .*\n/m.test(service.said), { timeout: 30_000 });
  const origin = /listens on (\S+)/.exec(service.said)?.[1] ?? "";
  client = new Client(() => origin);
  const secret = /^Set-up secret: (\S+)/m.exec(service.said)?.[1];
  const body = { jwt_secret: secret, email: OWNER, password: PASSWORD };
  await client.request("POST", "/api/system/initialize", { body });
  session = await logIn(client, OWNER, PASSWORD);
});
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
});
afterAll(async () => {
  client.close();
  await service.stop();
  await rm(folder, { recursive: true });
});

async function start(text: string, env: Record<string, string> = {}): Promise<ShownCommand> {
  const command = await ShownCommand.start(text, env);
  onTestFailed(() => console.error(command.said));
  started.push(command);
  return command;
}

test("README.md shows what the first start says", () => {
  const { expected } = stopOf("README.md", "npm ci && npm start");
  const data = join(folder, "data");
  const said = service.said.slice(service.said.indexOf("Waypost listens"));
  const lines = said.replaceAll(data, "data").split("\n").slice(0, 5).join("\n");
  const [, secret = ""] = /^Set-up secret: (.*)…/m.exec(expected) ?? [];
  const own = /^Set-up secret: (\S+)/m.exec(said)?.[1]?.slice(0, secret.length) ?? "";
  const host = new URL(client.origin).host;
  const shown = adapt(expected, { "127.0.0.1:8080": host, [secret]: own });
  expect(bare(lines)).toMatch(toPattern(shown));
});

describe("docs/connect.md", () => {
  const document = "docs/connect.md";
  let here: Record<string, string>;
  beforeAll(async () => {
    here = { "https://waypost.example.org": client.origin };
    for (const { name, ip, ...fields } of others) {
      const connections = [
        { type: "TCP", ip, port: 11010 },
        { type: "WSS", ip, port: 443 },
      ];
      // Who forgets a filter is sent to one of the first, which are a thousand times as large.
      const size = name === "relay" ? 1 : 1_000;
      const body = { node_name: name, connections, max_bandwidth: size, ...fields };
      const node = await createNode(client, session, body);
      await sendReport(client, OWNER, node);
    }
  });
  const urls = others.map(({ ip }) => `tcp://${ip}:11010`);

  test("asks with curl, and with a filter", async () => {
    const stop = stopOf(document, "curl -s");
    const [said = ""] = await walk([stop], { folder, instead: here });
    const [any, filtered] = said.trimEnd().split("\n");
    expect(urls).toContain(any);
    expect(stop.expected).toBe(`${urls[0]}\n${filtered}\n`);
  });

  test("asks with the command", async () => {
    const [said] = await walk([stopOf(document, "waypost connect")], {
      folder,
      instead: here,
      path: [bin],
    });
    expect(urls).toContain(said?.trimEnd());
  });

  test("gives clients an address that answers them", async () => {
    const { text } = blockOf(document, "[[peer]]");
    const [, uri = ""] = /^uri = "(.*)"$/m.exec(text) ?? [];
    const answer = await fetch(adapt(uri, here));
    expect(urls).toContain((await answer.text()).trimEnd());
    const named = readDocument(document).match(
      /https:\/\/waypost\.example\.org\/connect[^\s`'"]*/g,
    );
    expect(named).toContain(uri);
    for (const each of new Set(named)) expect((await fetch(adapt(each, here))).status).toBe(200);
  });
});

describe("docs/agent.md", () => {
  const document = "docs/agent.md";
  const unitFile = "waypost-agent.service";
  let node: CreatedNode;
  let here: Record<string, string>;
  beforeAll(async () => {
    node = await createNode(client, session, { node_name: "relay-1" });
    here = { "https://waypost.example": client.origin, "…": node.token };
  });

  async function status(): Promise<string | undefined> {
    const { body } = await client.request("GET", "/api/nodes/my", { token: session });
    const list = body.nodes as { node_name: string; status: string }[];
    return list.find(({ node_name }) => node_name === node.name)?.status;
  }
  /** The status of its node when the agent says that it reports, and after it was told to end. */
  async function statusesBy(agent: ShownCommand): Promise<unknown[]> {
    await vi.waitUntil(() => agent.said.includes('"event":"reporting"'), { timeout: 20_000 });
    const reporting = await status();
    await agent.terminate();
    return [reporting, await status()];
  }
  const life = ["online", "offline"];

  test("runs the agent as one file, and as a service of systemd", async () => {
    const agent = await start(adapt(blockOf(document, "curl -fsSLO").text, here));
    expect(await statusesBy(agent)).toEqual(life);

    const packaged = join(root, "packaging/systemd", unitFile);
    await copyFile(packaged, join(agent.folder, unitFile));
    await mkdir(join(agent.folder, "etc/systemd/system"), { recursive: true });
    console.warn("IN PLACE OF systemctl: a program that writes down how it is called.");
    const recorded = await RecordedPrograms.create(agent.folder, ["systemctl"]);
    const places = { "/opt/": join(agent.folder, "opt/"), "/etc/": join(agent.folder, "etc/") };
    const [said] = await walk([stopOf(document, "install -D")], {
      folder: agent.folder,
      instead: { ...here, ...places },
      path: [recorded.path],
      input: `${node.token}\n`,
    });
    expect(said).toBe("");
    expect(await recorded.calls()).toEqual([
      "systemctl daemon-reload",
      "systemctl enable --now waypost-agent",
    ]);
    const token = await stat(join(agent.folder, "etc/waypost/report-token"));
    expect(token.mode & 0o777).toBe(0o600);
    const installed = join(agent.folder, "etc/systemd/system", unitFile);
    const unit = await readUnit(await readFile(installed, "utf8"), agent.folder);
    expect(await readFile(installed, "utf8")).toBe(await readFile(packaged, "utf8"));
    expect(await statusesBy(await start(unit.command, unit.env))).toEqual(life);
  });

  test("runs the agent with the package", async () => {
    const { text } = blockOf(document, "WAYPOST_REPORT_TOKEN=");
    const PATH = `${bin}:${process.env["PATH"]}`;
    expect(await statusesBy(await start(adapt(text, here), { PATH }))).toEqual(life);
  });

  test("names options that there are", () => {
    const sentences = readDocument(document).replaceAll(/^```[^]*?^```$/gm, "");
    const named = new Set(sentences.match(/(?<=[` ])--[a-z][a-z-]*/g));
    expect(named.delete("--help")).toBe(true);
    for (const option of named) expect(help).toContain(` ${option}`);
  });

  test("shows a report that is taken", async () => {
    const body = JSON.parse(adapt(blockOf(document, "{\n").text, here)) as { email: string };
    const answer = await client.request("POST", "/api/report", {
      body: { ...body, email: OWNER },
    });
    expect(answer.status).toBe(200);
    expect(body.email).toBe(OWNER);
  });
});

test("docs/holes.md makes a rule, of which docs/events.md reads", async () => {
  const stop = stopOf("docs/events.md", "curl -N");
  const here = { "127.0.0.1:8080": new URL(client.origin).host };
  const reader = await start(adapt(stop.commands, here), { TOKEN: session });
  const [first = "", , event = "", data = ""] = stop.expected.split("\n");
  await expect.poll(() => reader.said).toContain(first);
  const env = { WAYPOST: client.origin, TOKEN: session };
  const [said = ""] = await walk([stopOf("docs/holes.md", "curl -s")], { folder, env });
  const { rule } = JSON.parse(said) as { rule: { name: string; forward_to: object } };
  expect(rule).toMatchObject({ name: "home", forward_to: { host: "192.168.1.20", port: 22000 } });
  const beginning = data.slice(0, data.indexOf("…"));
  await expect.poll(() => reader.said).toContain(`${event}\n${beginning}`);
});
