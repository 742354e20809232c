import ipaddr from "ipaddr.js";
import type { Endpoint } from "./endpoint.ts";

const SIGNATURE = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const VERSION_2_PROXY = 0x21;
const TCP_IPV4 = 0x11;
const TCP_IPV6 = 0x21;

/**
 * What announces the client of a TCP connection to its target: the PROXY protocol, version 2, §2.2.
 * Both addresses are of one family.
 */
export function proxyHeader(client: Endpoint, destination: Endpoint): Buffer {
  const source = ipaddr.parse(client.address).toByteArray();
  const target = ipaddr.parse(destination.address).toByteArray();
  const family = source.length === 4 ? TCP_IPV4 : TCP_IPV6;
  const body = Buffer.from([...source, ...target, 0, 0, 0, 0]);
  body.writeUInt16BE(client.port, body.length - 4);
  body.writeUInt16BE(destination.port, body.length - 2);
  const head = Buffer.from([VERSION_2_PROXY, family, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([SIGNATURE, head, body]);
}
