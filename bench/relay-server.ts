/** Relays what arrives at a hole to BENCH_TARGET, a port of this machine; BENCH_TRANSPORT is udp or tcp. */
import { systemChance } from "../src/server/lib/chance.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import type { Hole } from "../src/server/stun/hole.ts";
import { TcpHole } from "../src/server/stun/tcp-hole.ts";
import { UdpHole } from "../src/server/stun/udp-hole.ts";

const { BENCH_TARGET, BENCH_TRANSPORT } = process.env;

function newHole(): Hole {
  const options = {
    localAddress: "127.0.0.1",
    localPort: 0,
    clock: systemClock,
    events: { lost: (reason: string) => console.error(reason) },
  };
  if (BENCH_TRANSPORT === "udp") return new UdpHole(options);
  const resolver = { resolve: async () => [] };
  return new TcpHole({ ...options, keepaliveHosts: [], chance: systemChance, resolver });
}

const hole = newHole();
await hole.open();
hole.forward({ host: "127.0.0.1", port: Number(BENCH_TARGET), proxyProtocol: false });
console.log(`http://${hole.local.address}:${hole.local.port}`);
process.on("SIGTERM", () => process.exit());
