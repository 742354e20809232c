import { parseArgs } from "node:util";
import { NodeResolver } from "../../probe/node/resolver.ts";
import { NodeSockets } from "../../probe/node/sockets.ts";
import { Probe } from "../../probe/probe.ts";
import { parseServerAddress, SERVER_ADDRESS_RULE } from "../../probe/server-address.ts";
import { TargetPolicy } from "../../probe/target-policy.ts";
import type { Handshake, Verdict } from "../../probe/verdict.ts";
import { UsageError, type Command } from "./command.ts";

const options = { json: { type: "boolean" } } as const;

export const check: Command = {
  name: "check",
  summary: "see whether an overlay node is up",
  help: `Usage: waypost check [--json] <server> <network> <secret>

Connects to a node, as tcp://host:port, ws://host:port or wss://host:port, and tries
the handshake of the overlay network. A secret of "-" is read from the standard input,
so that other users of this machine do not see it.

  --json   the result as JSON

Ends with 0 when the node is up, 1 when it is not, 2 when called in a wrong way.`,
  async run(parameters, terminal) {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      options,
      allowPositionals: true,
    });
    const [text, networkName, secret, ...more] = positionals;
    if (text === undefined || !networkName || secret === undefined || more.length > 0) {
      throw new UsageError("check takes a server, the name of a network and its secret");
    }
    const server = parseServerAddress(text);
    if (!server) throw new UsageError(`The server ${SERVER_ADDRESS_RULE}`);
    const networkSecret = secret === "-" ? firstLine(await terminal.readInput()) : secret;
    const probe = new Probe({
      sockets: new NodeSockets(),
      resolver: new NodeResolver(),
      now: () => performance.now(),
    });
    const target = { server, networkName, networkSecret };
    const verdict = await probe.check(target, new TargetPolicy("any", []));
    terminal.out(values.json ? JSON.stringify(toJson(verdict)) : toSentence(verdict, text));
    return verdict.isOnline ? 0 : 1;
  },
};

const meanings: Readonly<Record<Handshake, string>> = {
  ok: "it is a member of the network",
  auth_failed: "it knows the network by another secret",
  shared: "it helps networks that it is no member of",
  refused: "it refuses the network",
  secure_mode: "it demands the secure mode of the overlay",
  not_overlay: "it does not speak the overlay's protocol",
  not_tried: "there was no time to try the overlay's protocol",
};

function toSentence(verdict: Verdict, server: string): string {
  if (!verdict.isOnline) return `${server} is offline: ${verdict.error}`;
  const ms = Math.round(verdict.latencyMs);
  return `${server} is online (connected in ${ms} ms); ${meanings[verdict.handshake]}`;
}

function toJson(verdict: Verdict): object {
  if (!verdict.isOnline) return { is_online: false, error: verdict.error };
  const { latencyMs, handshake } = verdict;
  return { is_online: true, latency_ms: Math.round(latencyMs), handshake };
}

function firstLine(text: string): string {
  return text.split(/\r?\n/)[0] ?? "";
}
