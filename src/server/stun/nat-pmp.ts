import { toHost } from "../lib/address.ts";
import { askRouter, type RouterAddress } from "./router-question.ts";

const VERSION = 0;
const ASK_ADDRESS = 0;
const MAP = { udp: 1, tcp: 2 } as const;
const ANSWER_BIT = 128;
const SUCCESS = 0;
const ADDRESS_ANSWER_BYTES = 12;
const MAP_ANSWER_BYTES = 16;

/** What a router grants. */
export interface Grant {
  externalPort: number;
  /** 0 = the mapping is gone. */
  lifetimeSeconds: number;
}

/**
 * The router's outer address by NAT-PMP (RFC 6886 §3.2); null when it does not speak it or has none.
 * @throws the reason of `signal`
 */
export async function askExternalAddress(
  router: RouterAddress,
  withinMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const request = Buffer.from([VERSION, ASK_ADDRESS]);
  const found = await askRouter(router, request, readAddress, withinMs, signal);
  return found?.address ?? null;
}

function readAddress(bytes: Buffer): { address: string | null } | undefined {
  if (!isAnswer(bytes, ASK_ADDRESS)) return undefined;
  const isGood = bytes.length >= ADDRESS_ANSWER_BYTES && bytes.readUInt16BE(2) === SUCCESS;
  const address = isGood ? toHost(bytes.subarray(8, ADDRESS_ANSWER_BYTES).join(".")) : undefined;
  return { address: address === undefined || address === "0.0.0.0" ? null : address };
}

export interface MappingWish {
  transport: "udp" | "tcp";
  internalPort: number;
  /** What the router is asked for; it may give another one. */
  externalPort: number;
  /** 0 = take the mapping away. */
  lifetimeSeconds: number;
}

/**
 * Undefined when the router does not speak NAT-PMP or refuses (RFC 6886 §3.3).
 * @throws the reason of `signal`
 */
export async function mapByNatPmp(
  router: RouterAddress,
  { transport, internalPort, externalPort, lifetimeSeconds }: MappingWish,
  withinMs: number,
  signal: AbortSignal,
): Promise<Grant | undefined> {
  const request = Buffer.alloc(12);
  request.writeUInt8(MAP[transport], 1);
  request.writeUInt16BE(internalPort, 4);
  // Who takes a mapping away names no outer port (RFC 6886 §3.4).
  request.writeUInt16BE(lifetimeSeconds === 0 ? 0 : externalPort, 6);
  request.writeUInt32BE(lifetimeSeconds, 8);
  const read = (bytes: Buffer) => readGrant(bytes, MAP[transport], internalPort);
  return (await askRouter(router, request, read, withinMs, signal))?.grant;
}

function readGrant(
  bytes: Buffer,
  operation: number,
  internalPort: number,
): { grant: Grant | undefined } | undefined {
  if (!isAnswer(bytes, operation)) return undefined;
  if (bytes.readUInt16BE(2) !== SUCCESS) return { grant: undefined };
  if (bytes.length < MAP_ANSWER_BYTES || bytes.readUInt16BE(8) !== internalPort) return undefined;
  const externalPort = bytes.readUInt16BE(10);
  return { grant: { externalPort, lifetimeSeconds: bytes.readUInt32BE(12) } };
}

function isAnswer(bytes: Buffer, operation: number): boolean {
  return bytes.length >= 8 && bytes[0] === VERSION && bytes[1] === operation + ANSWER_BIT;
}
