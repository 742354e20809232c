import { ProtocolError } from "./peer-errors.ts";
import { ProtobufWriter, readFields, type ProtobufField } from "./protobuf.ts";
import { DIGEST_BYTES } from "./secret-digest.ts";

const MAGIC = 0xd1e1_a5e1;
const VERSION = 1;

const field = { magic: 1, peerId: 2, version: 3, networkName: 5, secretDigest: 6 } as const;

/** What both sides say first. */
export interface HandshakeMessage {
  peerId: number;
  networkName: string;
  /** Of 32 bytes. */
  secretDigest: Uint8Array;
}

/** A protobuf message with the magic number and the version of the protocol. */
export function encodeHandshake(message: HandshakeMessage): Uint8Array {
  return new ProtobufWriter()
    .uint32(field.magic, MAGIC)
    .uint32(field.peerId, message.peerId)
    .uint32(field.version, VERSION)
    .bytes(field.networkName, new TextEncoder().encode(message.networkName))
    .bytes(field.secretDigest, message.secretDigest)
    .finish();
}

/**
 * Fields that we do not know are skipped.
 * @throws ProtocolError when it is malformed, or of another protocol or version
 */
export function decodeHandshake(bytes: Uint8Array): HandshakeMessage {
  const fields = readFields(bytes);
  if (readNumber(fields, field.magic) !== MAGIC) throw new ProtocolError("the magic is another");
  if (readNumber(fields, field.version) !== VERSION) {
    throw new ProtocolError("the version is another");
  }
  const secretDigest = readBytes(fields, field.secretDigest);
  if (secretDigest.length !== DIGEST_BYTES)
    throw new ProtocolError("the digest has a false length");
  return {
    peerId: readNumber(fields, field.peerId),
    networkName: readText(fields, field.networkName),
    secretDigest,
  };
}

/** The last one counts, and only its lower 32 bits. */
function readNumber(fields: readonly ProtobufField[], number: number): number {
  const found = fields.findLast((each) => each.number === number);
  if (!found) return 0;
  if (found.type !== "varint") throw new ProtocolError("a field has a false type");
  return Number(BigInt.asUintN(32, found.value));
}

function readBytes(fields: readonly ProtobufField[], number: number): Uint8Array {
  const found = fields.findLast((each) => each.number === number);
  if (!found) return new Uint8Array();
  if (found.type !== "bytes") throw new ProtocolError("a field has a false type");
  return found.value;
}

function readText(fields: readonly ProtobufField[], number: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      readBytes(fields, number),
    );
  } catch (error) {
    if (error instanceof TypeError) throw new ProtocolError("a text is not UTF-8");
    throw error;
  }
}
