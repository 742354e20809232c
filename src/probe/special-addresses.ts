import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * The special-purpose address registries of IANA (RFC 6890 and what was added since), but for the
 * few anycast services that are public.
 */
const ipv4Ranges: readonly (readonly [range: string, kind: string])[] = [
  ["255.255.255.255/32", "Broadcast"],
  ["0.0.0.0/8", "Unspecified"],
  ["10.0.0.0/8", "Private"],
  ["100.64.0.0/10", "Carrier-grade NAT"],
  ["127.0.0.0/8", "Loopback"],
  ["169.254.0.0/16", "Link-local"],
  ["172.16.0.0/12", "Private"],
  ["192.0.0.0/24", "Reserved"],
  ["192.0.2.0/24", "Documentation"],
  ["192.88.99.0/24", "Reserved"],
  ["192.168.0.0/16", "Private"],
  ["198.18.0.0/15", "Benchmarking"],
  ["198.51.100.0/24", "Documentation"],
  ["203.0.113.0/24", "Documentation"],
  ["224.0.0.0/4", "Multicast"],
  ["240.0.0.0/4", "Reserved"],
  // In no registry: answers only inside virtual machines of one cloud, with what they may know.
  ["168.63.129.16/32", "Cloud platform"],
];

const ipv6Ranges: readonly (readonly [range: string, kind: string])[] = [
  ["::/128", "Unspecified"],
  ["::1/128", "Loopback"],
  ["64:ff9b:1::/48", "Private translation"],
  ["100::/64", "Discard"],
  ["2001:db8::/32", "Documentation"],
  // Teredo among them.
  ["2001::/23", "Reserved"],
  ["3fff::/20", "Documentation"],
  ["5f00::/16", "Segment routing"],
  ["fc00::/7", "Private"],
  ["fe80::/10", "Link-local"],
  ["fec0::/10", "Private"],
  ["ff00::/8", "Multicast"],
];

/** All that is given out as public IPv6 so far (RFC 4291 §2.4). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

interface EmbeddingRange {
  range: [ipaddr.IPv6, number];
  /** Where the four bytes of the IPv4 address stand. */
  offset: number;
}

const embeddingRanges: readonly EmbeddingRange[] = [
  // Mapped, RFC 4291 §2.5.5.2; translated, RFC 6052 §2.1; 6to4, RFC 3056 §2.
  { range: ipaddr.IPv6.parseCIDR("::ffff:0:0/96"), offset: 12 },
  { range: ipaddr.IPv6.parseCIDR("64:ff9b::/96"), offset: 12 },
  { range: ipaddr.IPv6.parseCIDR("2002::/16"), offset: 2 },
];

const ipv4Table = ipv4Ranges.map(([text, kind]) => ({
  range: ipaddr.IPv4.parseCIDR(text),
  kind,
}));
const ipv6Table = ipv6Ranges.map(([text, kind]) => ({
  range: ipaddr.IPv6.parseCIDR(text),
  kind,
}));

/** What an address is when it is not one of the public internet; undefined when it is. */
export function specialKind(address: Address): string | undefined {
  if (address instanceof ipaddr.IPv4) {
    return ipv4Table.find(({ range }) => address.match(...range))?.kind;
  }
  const named = ipv6Table.find(({ range }) => address.match(...range))?.kind;
  return named ?? (address.match(...globalUnicast) ? undefined : "Reserved");
}

/** The IPv4 address that packets to an IPv6 address end up at, when it says one. */
export function embeddedIpv4(address: Address): ipaddr.IPv4 | undefined {
  if (address instanceof ipaddr.IPv4) return undefined;
  const found = embeddingRanges.find(({ range }) => address.match(...range));
  if (!found) return undefined;
  return new ipaddr.IPv4(address.toByteArray().slice(found.offset, found.offset + 4));
}
