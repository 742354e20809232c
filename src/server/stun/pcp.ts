import { randomBytes } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { Grant, MappingProtocol, MappingWish } from "./port-grant.ts";
import { askRouter, type RouterAddress } from "./router-question.ts";

const VERSION = 2;
const MAP = 1;
const ANSWER_BIT = 128;
const MESSAGE_BYTES = 60;
const NONCE_BYTES = 12;
const PROTOCOLS = { udp: 17, tcp: 6 } as const;
/** Offsets in a message with the MAP operation (RFC 6887 §7.1 and §11.1). */
const at = { lifetime: 4, client: 8, nonce: 24, protocol: 36, internal: 40, external: 42, ip: 44 };
const ANY_IPV4 = Buffer.from("00000000000000000000ffff00000000", "hex");

/** The Port Control Protocol, RFC 6887, which takes the place of NAT-PMP. */
export class Pcp implements MappingProtocol {
  readonly name = "pcp";
  readonly #router: RouterAddress;
  readonly #client: Buffer;
  readonly #withinMs: number;
  /** Shows that what is renewed or taken away is our own. */
  readonly #nonce = randomBytes(NONCE_BYTES);

  /** @param localAddress IPv4, as the router sees this host */
  constructor(router: RouterAddress, localAddress: string, withinMs: number) {
    this.#router = router;
    this.#client = Buffer.from(ANY_IPV4);
    this.#client.set(ipaddr.IPv4.parse(localAddress).toByteArray(), 12);
    this.#withinMs = withinMs;
  }

  async map(wish: MappingWish, signal: AbortSignal): Promise<Grant | undefined> {
    const request = Buffer.alloc(MESSAGE_BYTES);
    request.writeUInt8(VERSION, 0);
    request.writeUInt8(MAP, 1);
    request.writeUInt32BE(wish.lifetimeSeconds, at.lifetime);
    request.set(this.#client, at.client);
    request.set(this.#nonce, at.nonce);
    request.writeUInt8(PROTOCOLS[wish.transport], at.protocol);
    request.writeUInt16BE(wish.internalPort, at.internal);
    request.writeUInt16BE(wish.externalPort, at.external);
    request.set(ANY_IPV4, at.ip);
    const read = (bytes: Buffer) => this.#read(bytes, wish);
    const answer = await askRouter(this.#router, request, read, this.#withinMs, signal);
    return answer === "refused" ? undefined : answer;
  }

  #read(bytes: Buffer, wish: MappingWish): Grant | "refused" | undefined {
    // A router that knows NAT-PMP alone answers in its version.
    if (bytes.length >= 2 && bytes[0] !== VERSION) return "refused";
    if (bytes.length < 4 || bytes[1] !== MAP + ANSWER_BIT) return undefined;
    if (bytes[3] !== 0) return "refused";
    const isOurs =
      bytes.length >= MESSAGE_BYTES &&
      bytes.subarray(at.nonce, at.nonce + NONCE_BYTES).equals(this.#nonce) &&
      bytes[at.protocol] === PROTOCOLS[wish.transport] &&
      bytes.readUInt16BE(at.internal) === wish.internalPort;
    if (!isOurs) return undefined;
    return {
      externalPort: bytes.readUInt16BE(at.external),
      externalIp: toIpv4(bytes.subarray(at.ip, at.ip + 16)),
      lifetimeSeconds: bytes.readUInt32BE(at.lifetime),
    };
  }
}

/** Null when it is another one, or none. */
function toIpv4(bytes: Buffer): string | null {
  const address = new ipaddr.IPv6([...bytes]);
  const text = address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : "0.0.0.0";
  return text === "0.0.0.0" ? null : text;
}
