import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { NodeResolver } from "../../probe/node/resolver.ts";
import { NodeSockets } from "../../probe/node/sockets.ts";
import { policyModeOf } from "../../probe/policy-mode.ts";
import { Probe } from "../../probe/probe.ts";
import { Slots } from "../../probe/slots.ts";
import { TargetPolicy } from "../../probe/target-policy.ts";
import { Access } from "../access.ts";
import { createCheckFunction } from "../check-function.ts";
import { StartError } from "../settings.ts";
import { callerOf } from "./caller.ts";
import { HttpServer } from "./http-server.ts";
import { readNodeSettings, type NodeSettings } from "./settings.ts";

const OLDEST_NODE = 24;
const CHECKS_AT_ONCE = 64;
const CHECKS_WAITING = 256;
/** For requests that have begun; the whole end takes less than 10 s. */
const CLOSE_MS = 8_500;

const clock = { now: () => Date.now() };

function createServer(settings: NodeSettings): HttpServer {
  const { host, policy, allow, trustProxy } = settings;
  const policies = { any: new TargetPolicy("any", []), public: new TargetPolicy("public", allow) };
  const exposure = { host, publicUrl: undefined, trustProxy };
  const probe = new Probe({
    sockets: new NodeSockets(),
    resolver: new NodeResolver(),
    now: () => performance.now(),
  });
  const check = createCheckFunction({
    access: new Access(settings, clock),
    places: new Slots(CHECKS_AT_ONCE, CHECKS_WAITING),
    policyFor: ({ headers }) =>
      policies[policyModeOf(policy, exposure, Object.fromEntries(headers))],
    probeFor: () => probe,
    clock,
    onDefect: (error) => console.error(error),
  });
  return new HttpServer((request, message) => check(request, callerOf(message, trustProxy)));
}

/** The environment over the `.env` file of the working directory, when there is one. */
function readEnvironment(): Record<string, string | undefined> {
  let text = "";
  try {
    text = readFileSync(".env", "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw new StartError(`.env cannot be read: ${(error as Error).message}`);
    }
  }
  return { ...parseEnv(text), ...process.env };
}

/** One line for what an operator can put right; undefined for a defect. */
function explain(error: unknown): string | undefined {
  if (error instanceof StartError) return error.message;
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return "The port is in use already; choose another with WAYPOST_PORT";
    case "EACCES":
      return "The port may not be opened by this user; choose another with WAYPOST_PORT";
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return "The host is not an address of this machine; see WAYPOST_HOST";
    default:
      return undefined;
  }
}

async function main(): Promise<void> {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new StartError(`Node ${OLDEST_NODE} or newer is needed; this is ${process.version}`);
  }
  const settings = readNodeSettings(readEnvironment());
  const server = createServer(settings);
  const { host } = settings;
  const port = await server.listen(host, settings.port);
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  console.log(`The check function listens on ${origin}`);
  // oxlint-disable-next-line unicorn/no-process-exit -- checks of callers that have gone may go on
  const stop = () => void server.close(CLOSE_MS).then(() => process.exit(0));
  process.once("SIGTERM", stop).once("SIGINT", stop);
}

try {
  await main();
} catch (error) {
  console.error(explain(error) ?? error);
  process.exitCode = 1;
}
