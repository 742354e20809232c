import { transports, type Connection } from "../../shared/api/nodes.ts";

export interface EndpointParts {
  type?: string;
  ip: string;
  port?: number;
}

const PATTERN = /^(?:([a-z]+):\/\/)?(?:\[([^\]]+)\]|([^\s:/[\]]+))(?::(\d{1,5}))?\/?$/i;

/** Takes `tcp://203.0.113.7:11010` and its like apart; undefined when there is nothing to take apart. */
export function readEndpoint(text: string): EndpointParts | undefined {
  const match = PATTERN.exec(text.trim());
  if (!match) return undefined;
  const [, scheme, bracketed, plain, port] = match;
  const ip = bracketed ?? plain;
  if (ip === undefined || (scheme === undefined && port === undefined)) return undefined;
  const type = transports.find((each) => each === scheme?.toUpperCase());
  return { ip, ...(type && { type }), ...(port !== undefined && { port: Number(port) }) };
}

/** IPv4, IPv6 or DNS name, by what they are made of; the service looks closer. */
export function looksLikeHost(text: string): boolean {
  if (text.length > 1024) return false;
  if (text.includes(":")) return /^[0-9a-f:.]+$/i.test(text) && text.split(":").length > 2;
  return /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*\.?$/u.test(text);
}

/** `tcp://203.0.113.7:11010` */
export function writeEndpoint({ type, ip, port }: Connection): string {
  return `${type.toLowerCase()}://${ip.includes(":") ? `[${ip}]` : ip}:${port}`;
}
