import { isIP } from "node:net";
import { parseArgs } from "node:util";
import type { StunDiagnosis } from "../../shared/api/stun-diagnosis.ts";
import { loadConfig } from "../config.ts";
import { parseHostPort, type HostPort } from "../lib/host-port.ts";
import { Diagnosis } from "../stun/diagnosis.ts";
import { HoleError } from "../stun/hole.ts";
import { knownServers } from "../stun/known-servers.ts";
import { systemParts } from "../stun/system-ports.ts";
import { UsageError, type Command, type Terminal } from "./command.ts";
import { describeDiagnosis } from "./diagnosis-text.ts";

const options = {
  transport: { type: "string" },
  server: { type: "string", multiple: true },
  "local-address": { type: "string" },
  json: { type: "boolean" },
} as const;

export const stun: Command = {
  name: "stun",
  summary: "find out what kind of NAT lies between here and the internet",
  help: `Usage: waypost stun [--transport udp|tcp] [--server host:port]…
                    [--local-address address] [--json]

Asks STUN servers from one port, and says what router and provider do with it and what
that means for a service at home. Changes nothing, and takes 15 seconds at most.

  --transport udp|tcp     what is tried; udp when left out
  --server host:port      a STUN server to ask, any number of them; when left out,
                          those of WAYPOST_STUN_SERVERS, else public ones
  --local-address addr    the address to send from, to choose a line
  --json                  the result as JSON

Ends with 0 when something was found out, 1 when no server answered, 2 when called in
a wrong way.`,
  async run(parameters, terminal) {
    const { values } = parseArgs({ args: [...parameters], options });
    const transport = toTransport(values.transport ?? "udp");
    const localAddress = toLocalAddress(values["local-address"]);
    const named = (values.server ?? []).map(toServer);
    const servers = named.length > 0 ? named : defaultServers(transport, terminal);
    const found = await diagnose({ transport, servers, localAddress });
    if (values.json) terminal.out(JSON.stringify(found, null, 2));
    else for (const line of describeDiagnosis(found)) terminal.out(line);
    return found.public_ip === null ? 1 : 0;
  },
};

async function diagnose(question: Parameters<Diagnosis["run"]>[0]): Promise<StunDiagnosis> {
  try {
    return await new Diagnosis(systemParts()).run(question, new AbortController().signal);
  } catch (error) {
    if (error instanceof HoleError) throw new UsageError(error.message);
    throw error;
  }
}

function defaultServers(transport: "udp" | "tcp", terminal: Terminal): readonly HostPort[] {
  const { environment, directory } = terminal;
  const { stunServers } = loadConfig(environment, directory);
  return stunServers.length > 0 ? stunServers : knownServers(transport);
}

function toTransport(value: string): "udp" | "tcp" {
  if (value === "udp" || value === "tcp") return value;
  throw new UsageError("--transport must be udp or tcp");
}

function toServer(value: string): HostPort {
  const server = parseHostPort(value);
  if (server) return server;
  throw new UsageError(`--server must be host:port, and ${value} is not`);
}

function toLocalAddress(value: string | undefined): string | null {
  if (value === undefined || isIP(value) !== 0) return value ?? null;
  throw new UsageError(`--local-address must be an IP address, and ${value} is not`);
}
