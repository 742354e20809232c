import type { Connection } from "./api/nodes.ts";

/** As the overlay's clients write the address of a peer: `tcp://[2001:db8::7]:11010`. */
export function toPeerUrl({ type, ip, port }: Connection): string {
  const host = ip.includes(":") ? `[${ip}]` : ip;
  return `${type.toLowerCase()}://${host}:${port}`;
}
