import { toHost } from "../lib/address.ts";
import type { Grant, MappingProtocol, MappingWish } from "./port-grant.ts";
import { askRouter, type RouterAddress } from "./router-question.ts";

const VERSION = 0;
const ASK_ADDRESS = 0;
const MAP = { udp: 1, tcp: 2 } as const;
const ANSWER_BIT = 128;
const SUCCESS = 0;
const ADDRESS_ANSWER_BYTES = 12;
const MAP_ANSWER_BYTES = 16;

/** NAT-PMP, RFC 6886. */
export class NatPmp implements MappingProtocol {
  readonly name = "nat_pmp";
  readonly #router: RouterAddress;
  readonly #withinMs: number;

  constructor(router: RouterAddress, withinMs: number) {
    this.#router = router;
    this.#withinMs = withinMs;
  }

  /**
   * The router's outer address; null when it does not speak NAT-PMP or has none.
   * @throws the reason of `signal`
   */
  async externalIp(signal: AbortSignal): Promise<string | null> {
    const request = Buffer.from([VERSION, ASK_ADDRESS]);
    return (await this.#ask(request, readAddress, signal)) ?? null;
  }

  async map(wish: MappingWish, signal: AbortSignal): Promise<Grant | undefined> {
    const { transport, internalPort, externalPort, lifetimeSeconds } = wish;
    const request = Buffer.alloc(12);
    request.writeUInt8(MAP[transport], 1);
    request.writeUInt16BE(internalPort, 4);
    // Who takes a mapping away names no outer port (§3.4).
    request.writeUInt16BE(lifetimeSeconds === 0 ? 0 : externalPort, 6);
    request.writeUInt32BE(lifetimeSeconds, 8);
    const read = (bytes: Buffer) => readGrant(bytes, MAP[transport], internalPort);
    const granted = await this.#ask(request, read, signal);
    if (!granted || lifetimeSeconds === 0) return granted;
    return { ...granted, externalIp: await this.externalIp(signal) };
  }

  async #ask<T>(
    request: Buffer,
    read: (bytes: Buffer) => Answer<T> | undefined,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const answer = await askRouter(this.#router, request, read, this.#withinMs, signal);
    return answer === "refused" ? undefined : answer?.value;
  }
}

type Answer<T> = { value: T } | "refused";

function readAddress(bytes: Buffer): Answer<string | null> | undefined {
  if (!isAnswer(bytes, ASK_ADDRESS)) return undefined;
  if (isRefusal(bytes) || bytes.length < ADDRESS_ANSWER_BYTES) return "refused";
  const address = toHost(bytes.subarray(8, ADDRESS_ANSWER_BYTES).join("."));
  return { value: address === undefined || address === "0.0.0.0" ? null : address };
}

function readGrant(bytes: Buffer, operation: number, port: number): Answer<Grant> | undefined {
  if (!isAnswer(bytes, operation)) return undefined;
  if (isRefusal(bytes)) return "refused";
  if (bytes.length < MAP_ANSWER_BYTES || bytes.readUInt16BE(8) !== port) return undefined;
  const externalPort = bytes.readUInt16BE(10);
  const lifetimeSeconds = bytes.readUInt32BE(12);
  return { value: { externalPort, externalIp: null, lifetimeSeconds } };
}

function isAnswer(bytes: Buffer, operation: number): boolean {
  return bytes.length >= 8 && bytes[0] === VERSION && bytes[1] === operation + ANSWER_BIT;
}

function isRefusal(bytes: Buffer): boolean {
  return bytes.readUInt16BE(2) !== SUCCESS;
}
