import { isIPv4 } from "node:net";

/**
 * An IPv4 address and a port as one IPv6 address, `2001::<port>:<first half>:<second half>`, as
 * several overlay clients read it from an AAAA record; undefined when `address` is not IPv4.
 */
export function toIp4p(address: string, port: number): string | undefined {
  if (!isIPv4(address)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const groups = [port, a * 256 + b, c * 256 + d];
  return `2001::${groups.map((group) => group.toString(16)).join(":")}`;
}
