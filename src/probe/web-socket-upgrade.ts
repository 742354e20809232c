import { ProtocolError } from "./peer-errors.ts";
import { authorityHost, type ServerAddress } from "./server-address.ts";

/** RFC 6455 §1.3. */
const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const defaultPorts = { tcp: undefined, ws: 80, wss: 443 } as const;

const STATUS_LINE = /^HTTP\/1\.1 101(?: |$)/;
/** RFC 9110 §5: a name, and a value without control characters. */
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/;

/** @param key 16 random bytes in base64 */
export function upgradeRequest(server: ServerAddress, key: string): string {
  const { transport, host, port } = server;
  const authority = authorityHost(host);
  return [
    "GET / HTTP/1.1",
    `Host: ${port === defaultPorts[transport] ? authority : `${authority}:${port}`}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${key}`,
    "Sec-WebSocket-Version: 13",
    "\r\n",
  ].join("\r\n");
}

/** What a server has to answer to a key (RFC 6455 §4.2.2). */
export async function acceptValue(key: string): Promise<string> {
  const text = new TextEncoder().encode(key + ACCEPT_SUFFIX);
  return toBase64(new Uint8Array(await crypto.subtle.digest("SHA-1", text)));
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * Judges the head of the answer, with its empty line (RFC 6455 §4.1).
 * @throws ProtocolError when the server does not switch to a plain WebSocket
 */
export function checkUpgrade(head: string, accept: string): void {
  const [statusLine = "", ...lines] = head.split("\r\n").slice(0, -2);
  if (!STATUS_LINE.test(statusLine)) throw new ProtocolError("the upgrade is refused");
  const headers = readHeaders(lines);
  const has = (name: string, token: string) =>
    (headers.get(name) ?? "").split(",").some((each) => each.trim().toLowerCase() === token);
  if (!has("upgrade", "websocket") || !has("connection", "upgrade")) {
    throw new ProtocolError("the upgrade leads elsewhere");
  }
  if (headers.get("sec-websocket-accept") !== accept) {
    throw new ProtocolError("the upgrade is not for us");
  }
  if (headers.has("sec-websocket-extensions") || headers.has("sec-websocket-protocol")) {
    throw new ProtocolError("the upgrade has what nobody asked for");
  }
}

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new ProtocolError("the answer has a malformed header");
    }
    const before = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}
