/** A program for the laboratory: a UDP and a TCP hole pinned to an address of the host. */
import { answerAsked } from "../../lab/programs/asked.ts";
import { systemChance } from "../../src/server/lib/chance.ts";
import { systemClock } from "../../src/server/lib/clock.ts";
import type { Endpoint } from "../../src/server/stun/endpoint.ts";
import { TcpHole } from "../../src/server/stun/tcp-hole.ts";
import { UdpHole } from "../../src/server/stun/udp-hole.ts";

const [localAddress = "", host = ""] = process.argv.slice(2);
const never = new AbortController().signal;
const news: string[] = [];
const common = {
  localAddress,
  localPort: 0,
  clock: systemClock,
  events: { lost: (reason: string) => news.push(reason) },
};
const holes = {
  udp: new UdpHole({ ...common, plan: { sendsAtMs: [0, 200], timeoutMs: 600 } }),
  tcp: new TcpHole({
    ...common,
    keepaliveHosts: [{ host, port: 80 }],
    chance: systemChance,
    resolver: { resolve: async () => [] },
    probeTimeoutMs: 600,
  }),
};
await holes.udp.open();
await holes.tcp.open();

answerAsked({
  probe: ({ transport, server }: { transport: keyof typeof holes; server: Endpoint }) =>
    holes[transport].probe(server, never),
  news: () => news.splice(0),
});
