import ipaddr from "ipaddr.js";

/** The transports a check can use. */
export const checkedTransports = ["tcp", "ws", "wss"] as const;
export type CheckedTransport = (typeof checkedTransports)[number];

/** Where a node listens: `<transport>://<host>:<port>`. */
export interface ServerAddress {
  transport: CheckedTransport;
  /** An IPv4 address, an IPv6 address without brackets, or a DNS name in lower case. */
  host: string;
  port: number;
}

/** What is said of a text that is no server address, behind its name. */
export const SERVER_ADDRESS_RULE =
  "must be tcp://<host>:<port>, ws://<host>:<port> or wss://<host>:<port>, the host being an IPv4 address, an IPv6 address in brackets or a DNS name";

const LONGEST_TEXT = 1024;
const LONGEST_NAME = 253;
const HIGHEST_PORT = 65_535;

/** Scheme, host and port; nothing that could hide another host. The host is judged afterwards. */
const SHAPE =
  /^(tcp|ws|wss):\/\/(\[[\da-f:.]+\]|[^\s\x00-\x20\x7f"#%/:<>?@[\\\]^`{|}]+):(\d+)\/?$/i;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
/** Letters, digits and hyphens in labels of 1–63 (RFC 1123 §2.1). */
const LABEL = /^(?!-)[a-z\d-]{1,63}(?<!-)$/;

/**
 * Reads `<transport>://<host>:<port>`; undefined when `text` is anything else. A host is brought to
 * one spelling: what URL parsers read as an IPv4 address (decimal, hexadecimal, octal, short, other
 * digits) becomes four decimal numbers, an IPv6 address is written as in RFC 5952, a name is in its
 * ASCII form without a final dot.
 */
export function parseServerAddress(text: string): ServerAddress | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const [, transport, hostText, portText] = SHAPE.exec(text) ?? [];
  if (transport === undefined || hostText === undefined || portText === undefined) return undefined;
  const port = Number(portText);
  const host = toHost(hostText);
  if (host === undefined || port < 1 || port > HIGHEST_PORT) return undefined;
  return { transport: transport.toLowerCase() as CheckedTransport, host, port };
}

/** The text that `parseServerAddress` reads as this address. */
export function formatServerAddress({ transport, host, port }: ServerAddress): string {
  return `${transport}://${authorityHost(host)}:${port}`;
}

/** The host as it stands before a port: IPv6 addresses in brackets. */
export function authorityHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Whether a host of a `ServerAddress` is an address rather than a name. */
export function isIpAddress(host: string): boolean {
  return host.includes(":") || IPV4.test(host);
}

function toHost(text: string): string | undefined {
  const host = URL.parse(`http://${text}/`)?.hostname;
  if (host === undefined) return undefined;
  if (host.startsWith("[")) return toIpv6(host.slice(1, -1));
  return IPV4.test(host) ? host : toName(host);
}

function toIpv6(text: string): string {
  const address = ipaddr.IPv6.parse(text);
  // RFC 5952 §5: what embeds an IPv4 address is written with its dots.
  if (address.isIPv4MappedAddress()) return `::ffff:${address.toIPv4Address().toString()}`;
  return address.toRFC5952String();
}

function toName(host: string): string | undefined {
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  if (name.length > LONGEST_NAME) return undefined;
  return name.split(".").every((label) => LABEL.test(label)) ? name : undefined;
}
