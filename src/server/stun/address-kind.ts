import ipaddr from "ipaddr.js";
import { embeddedIpv4, specialKind } from "../../probe/special-addresses.ts";

/** What an address tells about where one stands. */
export type AddressKind = "public" | "private" | "carrier" | "made_up" | "other";

/** Proxies that take over the whole traffic answer names with addresses of this range. */
const MADE_UP = ipaddr.IPv4.parseCIDR("198.18.0.0/15");

export function addressKind(text: string): AddressKind {
  const parsed = ipaddr.parse(text);
  const address = embeddedIpv4(parsed) ?? parsed;
  if (address instanceof ipaddr.IPv4 && address.match(MADE_UP)) return "made_up";
  const kind = specialKind(address);
  // What is reserved for documentation stands for the internet in laboratories.
  if (kind === undefined || kind === "Documentation") return "public";
  switch (kind) {
    case "Private":
      return "private";
    case "Carrier-grade NAT":
      return "carrier";
    default:
      return "other";
  }
}
