import { once } from "node:events";
import { endpointText, type Endpoint, type Transport } from "./endpoint.ts";
import type { HomePrefix } from "./home-prefix.ts";
import type { Lab } from "./lab.ts";
import { NAT_KINDS, type NatKind } from "./nat-behaviour.ts";
import { Peer } from "./peer.ts";
import type { StunServer } from "./stun-server.ts";

/** Something that can be done at the prompt. */
export interface Command {
  name: string;
  parameters: string;
  what: string;
  /** @returns what to show. Throws a sentence about wrong parameters. */
  run(lab: Lab, words: readonly string[]): Promise<string>;
}

/** In the order of the help text. */
export const COMMANDS: readonly Command[] = [
  { name: "show", parameters: "", what: "the public address, the NAT, what it maps", run: show },
  {
    name: "stun",
    parameters: "[udp|tcp] [1|2] [PORT]",
    what: "asks a STUN server from a port of the home host",
    run: askStun,
  },
  {
    name: "discover",
    parameters: "",
    what: "what coturn's client finds the NAT to be",
    run: (lab) =>
      lab.home.run("turnutils_natdiscovery", ["-m", "-f", serverOf(lab, "1").endpoint.address]),
  },
  {
    name: "nat",
    parameters: NAT_KINDS.join("|"),
    what: "makes the NAT behave so",
    run: (lab, [kind]) => at(lab.nat.become(kindOf(kind))),
  },
  {
    name: "address",
    parameters: "",
    what: "another public address",
    run: (lab) => at(lab.nat.switchAddress()),
  },
  {
    name: "ports",
    parameters: "",
    what: "other mapped ports",
    run: (lab) => at(lab.nat.switchPorts()),
  },
  { name: "both", parameters: "", what: "both", run: (lab) => at(lab.nat.switchAddressAndPorts()) },
  {
    name: "renumber",
    parameters: "",
    what: "another IPv6 prefix for the home",
    run: (lab) => at(prefixOf(lab).renumber()),
  },
  { name: "cut", parameters: "", what: "loses everything", run: (lab) => at(lab.nat.cut()) },
  { name: "restore", parameters: "", what: "ends that", run: (lab) => at(lab.nat.restore()) },
  {
    name: "lose",
    parameters: "PERCENT",
    what: "loses that share of the packets, each way",
    run: (lab, [percent]) => at(lab.nat.lose(numberOf(percent))),
  },
  {
    name: "delay",
    parameters: "MILLISECONDS",
    what: "delays each round trip by that",
    run: (lab, [milliseconds]) => at(lab.nat.delay(numberOf(milliseconds))),
  },
  {
    name: "kill",
    parameters: "1|2",
    what: "ends a STUN server",
    run: (lab, [number]) => done(serverOf(lab, number).kill()),
  },
  {
    name: "lie",
    parameters: "1|2 ADDRESS:PORT",
    what: "makes it tell everybody that",
    run: (lab, [number, mapped]) => done(serverOf(lab, number).lie(endpointOf(mapped))),
  },
  {
    name: "start",
    parameters: "1|2",
    what: "starts it again, honest",
    run: (lab, [number]) => done(serverOf(lab, number).start()),
  },
  {
    name: "shell",
    parameters: "[home|router|internet]",
    what: "a shell over there, until its end",
    run: shell,
  },
];

async function show(lab: Lab): Promise<string> {
  const { mapping, filtering } = lab.nat.behaviour;
  const mappings = (await lab.nat.mappings()).map(
    (each) => `  ${each.transport} ${endpointText(each.inside)} is ${endpointText(each.public)}`,
  );
  const servers = lab.stunServers.map(
    (server) => `  ${server.name}  ${server.endpoints.map(endpointText).join("  ")}`,
  );
  const hosts = lab.webHosts.map((host) => `  ${host.name}  ${endpointText(host.endpoint)}`);
  const prefix = lab.ipv6 ? [`IPv6 of the home host ${lab.ipv6.host}, ${lab.ipv6.secondary}`] : [];
  return [
    `Public address ${lab.nat.publicAddress}, mapping ${mapping}, filtering ${filtering}`,
    ...prefix,
    ...mappings,
    "STUN servers",
    ...servers,
    "Web hosts",
    ...hosts,
  ].join("\n");
}

async function askStun(lab: Lab, [transport = "udp", number = "1", port = "0"]: readonly string[]) {
  if (transport !== "udp" && transport !== "tcp") throw new Error(`${transport}: udp or tcp?`);
  const server = serverOf(lab, number);
  const home = await Peer.start(lab.home);
  try {
    const opened = await home.open(transport satisfies Transport, numberOf(port));
    const mapped = await home.query(transport, opened, server.endpoint, 3_000);
    if (!mapped) return `${server.name} does not answer.`;
    return `${server.name} sees port ${opened} as ${endpointText(mapped)}`;
  } finally {
    await home.leave();
  }
}

async function shell(lab: Lab, [where = "home"]: readonly string[]): Promise<string> {
  const places = { home: lab.home, router: lab.router.namespace, internet: lab.internet };
  const place = places[where as keyof typeof places];
  if (!place) throw new Error(`${where}: home, router or internet?`);
  const child = place.spawn(process.env["SHELL"] ?? "sh", [], { stdio: "inherit" });
  await once(child, "exit");
  return "";
}

function prefixOf(lab: Lab): HomePrefix {
  if (!lab.ipv6) throw new Error("There is no IPv6 in it: start it with npm run lab -- ipv6.");
  return lab.ipv6;
}

function serverOf(lab: Lab, number = ""): StunServer {
  const server = lab.stunServers[Number(number) - 1];
  if (!server) throw new Error(`${number || "Which one"}: 1 or 2?`);
  return server;
}

function kindOf(kind = ""): NatKind {
  const known = NAT_KINDS.find((each) => each === kind);
  if (!known) throw new Error(`${kind || "Which one"}: ${NAT_KINDS.join(", ")}?`);
  return known;
}

function numberOf(text = ""): number {
  if (!/^\d+$/.test(text)) throw new Error(`${text || "How much"}: a number?`);
  return Number(text);
}

function endpointOf(text = ""): Endpoint {
  const [, address, port] = /^([\d.]+):(\d+)$/.exec(text) ?? [];
  if (!address) throw new Error(`${text || "What"}: an address, a colon and a port?`);
  return { address, port: Number(port) };
}

async function at(switched: Promise<number>): Promise<string> {
  return `In force since ${new Date(await switched).toISOString()}`;
}

async function done(action: Promise<void>): Promise<string> {
  await action;
  return "Done.";
}
