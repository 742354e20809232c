import { isIPv6 } from "node:net";
import { toHost } from "../lib/address.ts";

/** An IP address in its one spelling (`toHost`), and a port. */
export interface Endpoint {
  address: string;
  port: number;
}

/** A name or an address, and a port. */
export interface HostPort {
  /** As `toHost` spells it, without brackets. */
  host: string;
  port: number;
}

const HOST_PORT = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/;
const HIGHEST_PORT = 65_535;

/** `192.0.2.1:3478`, `[2001:db8::1]:3478` */
export function formatEndpoint({ address, port }: Endpoint): string {
  return formatHostPort({ host: address, port });
}

/** What `parseHostPort` reads. */
export function formatHostPort({ host, port }: HostPort): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Reads `name:port`, `IPv4:port` and `[IPv6]:port`; undefined when `text` is none, port 0 included. */
export function parseHostPort(text: string): HostPort | undefined {
  const [, bracketed, bare, digits] = HOST_PORT.exec(text) ?? [];
  const port = Number(digits);
  const host = toHost(bracketed ?? bare ?? "");
  if (host === undefined || (bracketed !== undefined) !== isIPv6(host)) return undefined;
  return port >= 1 && port <= HIGHEST_PORT ? { host, port } : undefined;
}

export function sameEndpoint(a: Endpoint, b: Endpoint): boolean {
  return a.port === b.port && a.address === b.address;
}
