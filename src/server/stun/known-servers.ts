import type { HoleTransport } from "../../shared/api/stun.ts";
import type { HostPort } from "../lib/host-port.ts";

/** Public servers run by different people; asked by rules for which nobody has named others. */
const both = [
  "turn.cloudflare.com",
  "stun.nextcloud.com",
  "stun.sipnet.com",
  "stun.freeswitch.org",
  "stun.voip.blackberry.com",
];
const udpOnly = ["stun.miwifi.com", "stun.chat.bilibili.com"];

const STUN_PORT = 3478;

/** Web servers that answer plain HTTP; for rules over TCP that name none. */
export const knownKeepaliveHosts: readonly HostPort[] = [
  { host: "www.cloudflare.com", port: 80 },
  { host: "www.qq.com", port: 80 },
  { host: "www.baidu.com", port: 80 },
];

export function knownServers(transport: HoleTransport): HostPort[] {
  const hosts = transport === "udp" ? [...both, ...udpOnly] : both;
  return hosts.map((host) => ({ host, port: STUN_PORT }));
}
