import { isIPv6 } from "node:net";
import { toHost } from "./address.ts";

/** A name or an address, and a port. */
export interface HostPort {
  /** As `toHost` spells it, without brackets. */
  host: string;
  port: number;
}

const HOST_PORT = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/;
const HIGHEST_PORT = 65_535;

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
