/** Opens a UDP and a TCP hole, prints their ports and lives until it is killed. */
import { systemChance } from "../../src/server/lib/chance.ts";
import { systemClock } from "../../src/server/lib/clock.ts";
import { TcpHole } from "../../src/server/stun/tcp-hole.ts";
import { UdpHole } from "../../src/server/stun/udp-hole.ts";

const common = {
  localAddress: "127.0.0.1",
  localPort: 0,
  clock: systemClock,
  events: { lost: (reason: string) => console.error(reason) },
};
const [host = "", port = ""] = process.argv.slice(2);
const udp = new UdpHole(common);
const tcp = new TcpHole({
  ...common,
  keepaliveHosts: [{ host, port: Number(port) }],
  chance: systemChance,
  resolver: { resolve: async () => [] },
});
await udp.open();
await tcp.open();
console.log(JSON.stringify([udp.local.port, tcp.local.port]));
