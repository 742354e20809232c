import { parseArgs } from "node:util";
import { CommandFailed, UsageError, type Command } from "./command.ts";

const options = {
  network: { type: "string" },
  region: { type: "string" },
  priority: { type: "string" },
  "relay-only": { type: "boolean" },
  tag: { type: "string" },
  transport: { type: "string" },
  exclude: { type: "string" },
  json: { type: "boolean" },
} as const;

const PATIENCE_MS = 10_000;

export const connect: Command = {
  name: "connect",
  summary: "ask a service for a node to connect to",
  help: `Usage: waypost connect [options] <service>

Asks the service at <service>, as https://waypost.example.org, which node to use now and
prints its peer URL, as a client of the overlay would get it.

  --network <name>    the same node for the same network
  --region <region>   domestic, overseas or all
  --priority <what>   traffic, bandwidth or latency
  --relay-only        nodes that relay for others
  --tag <tag>         nodes with this tag
  --transport <type>  nodes with such a connection, and that connection's URL
  --exclude <ids>     not these nodes, separated by commas
  --json              the result as JSON

Ends with 0 when there is a node, 1 when there is none or the service cannot be asked,
2 when called in a wrong way.`,
  async run(parameters, terminal) {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      options,
      allowPositionals: true,
    });
    const [service, ...more] = positionals;
    if (service === undefined || more.length > 0) {
      throw new UsageError("connect takes the address of a service");
    }
    const { network, json, "relay-only": relayOnly, ...words } = values;
    const url = toConnectUrl(service);
    for (const [name, value] of Object.entries(words)) url.searchParams.set(name, value);
    if (relayOnly) url.searchParams.set("relay_only", "1");
    const answer = await ask(url, network);
    if (answer.status === 200) {
      const peer = answer.text.trim();
      terminal.out(json ? JSON.stringify({ url: peer }) : peer);
      return 0;
    }
    const sentence = errorOf(answer.text) ?? `The service answered ${answer.status}`;
    if (answer.status === 400) throw new UsageError(sentence);
    if (!json) throw new CommandFailed(sentence);
    terminal.out(JSON.stringify({ url: null, error: sentence }));
    return 1;
  },
};

function toConnectUrl(service: string): URL {
  const url = URL.parse(service);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`The service must be an address as https://waypost.example.org`);
  }
  url.pathname = `${url.pathname.replace(/\/$/, "")}/connect`;
  url.search = "";
  return url;
}

/** A header holds bytes: the name goes as those of its UTF-8 form. */
async function ask(url: URL, network: string | undefined) {
  const headers: Record<string, string> =
    network === undefined ? {} : { "X-Network-Name": Buffer.from(network).toString("latin1") };
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { headers, signal, redirect: "error" });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    throw new CommandFailed(`${url.origin} cannot be asked: ${cause?.message ?? message}`);
  }
}

function errorOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}
