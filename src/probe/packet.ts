import { ProtocolError } from "./peer-errors.ts";

export const HEADER_BYTES = 16;
/** Header and payload. */
export const LONGEST_PACKET = 2000;

/** The kinds a check has to do with. */
export const packetTypes = { handshake: 2, ping: 4, pong: 5 } as const;

export interface Packet {
  fromPeerId: number;
  toPeerId: number;
  /** One of `packetTypes`, or what other nodes talk about. */
  type: number;
  payload: Uint8Array;
}

/** Little endian: sender, receiver, type, flags, hops, reserved, length of the payload. */
export function encodePacket({ fromPeerId, toPeerId, type, payload }: Packet): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, fromPeerId, true);
  view.setUint32(4, toPeerId, true);
  view.setUint8(8, type);
  // Sent once so far.
  view.setUint8(10, 1);
  view.setUint32(12, payload.length, true);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** What stands behind the payload is ignored. @throws ProtocolError when the packet is cut short */
export function decodePacket(bytes: Uint8Array): Packet {
  if (bytes.length < HEADER_BYTES) throw new ProtocolError("a packet is cut short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = HEADER_BYTES + view.getUint32(12, true);
  if (bytes.length < end) throw new ProtocolError("a packet is cut short");
  return {
    fromPeerId: view.getUint32(0, true),
    toPeerId: view.getUint32(4, true),
    type: view.getUint8(8),
    payload: bytes.subarray(HEADER_BYTES, end),
  };
}
