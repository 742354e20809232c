import { crc32 } from "node:zlib";

/** One accepted report, as the journal keeps it until it is folded into the tables. */
export interface ReportRecord {
  nodeId: number;
  at: number;
  /** GB since the node's previous report. */
  traffic: number;
  bandwidth: number;
  connections: number;
  status: string;
  /** Start of the traffic period that this report counts in. */
  periodStart: number;
  /** The estimate of the time between reports after this one. */
  intervalMs: number;
  tierBandwidth: number | null;
  version: string | null;
  /** The answer that was given, when the report carried an id to recognise it by. */
  receipt: Receipt | null;
}

export interface Receipt {
  reportId: string;
  usedTraffic: number;
  maxTraffic: number;
  resetAt: number;
}

/** The bytes are not a batch: wrong length, version or checksum. */
export class CorruptBatchError extends Error {}

const VERSION = 1;
const HEADER_BYTES = 9;
const FIXED_BYTES = 50;
const LONGEST_RECORD = FIXED_BYTES + 32 + 8 + (1 + 255) + (1 + 255 + 24);
const HAS_TIER = 1;
const HAS_VERSION = 2;
const HAS_RECEIPT = 4;

/**
 * Packs records into one journal row, little endian:
 * `CRC-32 of the rest u32, version u8, count u32`, then per record
 * `node f64, at f64, traffic f64, bandwidth f64, period start f64, connections u32, interval u32,
 * flags u8, status (u8 length, ASCII)` and, by flag, `tier f64`, `version (u8 length, UTF-8)`,
 * `report id (u8 length, UTF-8), used f64, max f64, reset f64`.
 */
export function encodeBatch(records: readonly ReportRecord[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + records.length * LONGEST_RECORD);
  let offset = HEADER_BYTES;
  for (const record of records) offset = writeRecord(bytes, offset, record);
  bytes.writeUInt8(VERSION, 4);
  bytes.writeUInt32LE(records.length, 5);
  bytes.writeUInt32LE(crc32(bytes.subarray(4, offset)), 0);
  return bytes.subarray(0, offset);
}

/** @throws CorruptBatchError */
export function decodeBatch(source: Uint8Array): ReportRecord[] {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (bytes.length < HEADER_BYTES || crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0)) {
    throw new CorruptBatchError("a journal row fails its checksum");
  }
  if (bytes.readUInt8(4) !== VERSION) {
    throw new CorruptBatchError("a journal row was written by another version");
  }
  const reader = new Reader(bytes, HEADER_BYTES);
  const records: ReportRecord[] = [];
  for (let count = bytes.readUInt32LE(5); count > 0; count--) records.push(readRecord(reader));
  return records;
}

function writeRecord(bytes: Buffer, start: number, record: ReportRecord): number {
  let offset = bytes.writeDoubleLE(record.nodeId, start);
  offset = bytes.writeDoubleLE(record.at, offset);
  offset = bytes.writeDoubleLE(record.traffic, offset);
  offset = bytes.writeDoubleLE(record.bandwidth, offset);
  offset = bytes.writeDoubleLE(record.periodStart, offset);
  offset = bytes.writeUInt32LE(record.connections, offset);
  offset = bytes.writeUInt32LE(record.intervalMs, offset);
  offset = bytes.writeUInt8(flagsOf(record), offset);
  offset = writeText(bytes, offset, record.status);
  if (record.tierBandwidth !== null) offset = bytes.writeDoubleLE(record.tierBandwidth, offset);
  if (record.version !== null) offset = writeText(bytes, offset, record.version);
  if (record.receipt !== null) {
    offset = writeText(bytes, offset, record.receipt.reportId);
    offset = bytes.writeDoubleLE(record.receipt.usedTraffic, offset);
    offset = bytes.writeDoubleLE(record.receipt.maxTraffic, offset);
    offset = bytes.writeDoubleLE(record.receipt.resetAt, offset);
  }
  return offset;
}

function flagsOf(record: ReportRecord): number {
  return (
    (record.tierBandwidth === null ? 0 : HAS_TIER) |
    (record.version === null ? 0 : HAS_VERSION) |
    (record.receipt === null ? 0 : HAS_RECEIPT)
  );
}

function writeText(bytes: Buffer, offset: number, text: string): number {
  const written = bytes.write(text, offset + 1, "utf8");
  bytes.writeUInt8(written, offset);
  return offset + 1 + written;
}

function readRecord(reader: Reader): ReportRecord {
  const nodeId = reader.double();
  const at = reader.double();
  const traffic = reader.double();
  const bandwidth = reader.double();
  const periodStart = reader.double();
  const connections = reader.uint32();
  const intervalMs = reader.uint32();
  const flags = reader.uint8();
  const status = reader.text();
  const tierBandwidth = flags & HAS_TIER ? reader.double() : null;
  const version = flags & HAS_VERSION ? reader.text() : null;
  const receipt = flags & HAS_RECEIPT ? readReceipt(reader) : null;
  return {
    nodeId,
    at,
    traffic,
    bandwidth,
    connections,
    status,
    periodStart,
    intervalMs,
    tierBandwidth,
    version,
    receipt,
  };
}

function readReceipt(reader: Reader): Receipt {
  const reportId = reader.text();
  const usedTraffic = reader.double();
  const maxTraffic = reader.double();
  return { reportId, usedTraffic, maxTraffic, resetAt: reader.double() };
}

class Reader {
  readonly #bytes: Buffer;
  #offset: number;

  constructor(bytes: Buffer, offset: number) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  double(): number {
    const value = this.#bytes.readDoubleLE(this.#offset);
    this.#offset += 8;
    return value;
  }

  uint32(): number {
    const value = this.#bytes.readUInt32LE(this.#offset);
    this.#offset += 4;
    return value;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#offset++);
  }

  text(): string {
    const length = this.uint8();
    this.#offset += length;
    return this.#bytes.toString("utf8", this.#offset - length, this.#offset);
  }
}
