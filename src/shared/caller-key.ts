import ipaddr from "ipaddr.js";

/**
 * What callers are told apart by: an IPv4 address, or the first 64 bits of an IPv6 address, since
 * one customer has at least 2^64 of them.
 */
export function toCallerKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}
