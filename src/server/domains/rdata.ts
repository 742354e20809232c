import ipaddr from "ipaddr.js";
import type { RecordType } from "../../shared/api/domains.ts";
import { toChunks } from "./char-string.ts";
import { TYPE } from "./dns-message.ts";
import { decodeName, DnsFormatError, encodeName } from "./dns-name.ts";
import type { RecordData } from "./record-data.ts";
import type { ServiceParameter } from "./service-parameters.ts";

/** The number of a record type on the wire. */
export function typeNumber(type: RecordType): number {
  return TYPE[type];
}

/** A value as bytes on the wire; those that are not understood have none. */
export function encodeData(data: Exclude<RecordData, { type: "unknown" }>): Buffer {
  switch (data.type) {
    case "A":
    case "AAAA":
      return Buffer.from(ipaddr.parse(data.address).toByteArray());
    case "SRV":
      return Buffer.concat([
        uint16(data.priority),
        uint16(data.weight),
        uint16(data.port),
        encodeName(data.target),
      ]);
    case "HTTPS":
    case "SVCB":
      return Buffer.concat([
        uint16(data.priority),
        encodeName(data.target),
        ...data.parameters.flatMap(({ key, value }) => [uint16(key), uint16(value.length), value]),
      ]);
    default:
      return Buffer.concat(
        toChunks(Buffer.from(data.text, "utf8")).flatMap((chunk) => [
          Buffer.from([chunk.length]),
          chunk,
        ]),
      );
  }
}

/** Reads a value from the wire; what has not the form of its type is `unknown`. */
export function decodeData(type: RecordType, bytes: Buffer): RecordData {
  try {
    return decode(type, bytes);
  } catch (error) {
    if (!(error instanceof DnsFormatError) && !(error instanceof RangeError)) throw error;
    return { type: "unknown", text: String.raw`\# ${bytes.length} ${bytes.toString("hex")}` };
  }
}

function decode(type: RecordType, bytes: Buffer): RecordData {
  switch (type) {
    case "A":
      if (bytes.length !== 4) throw new DnsFormatError("an IPv4 address has 4 bytes");
      return { type, address: bytes.join(".") };
    case "AAAA":
      if (bytes.length !== 16) throw new DnsFormatError("an IPv6 address has 16 bytes");
      return { type, address: new ipaddr.IPv6([...bytes]).toRFC5952String() };
    case "SRV": {
      const [priority, weight, port] = [0, 2, 4].map((at) => bytes.readUInt16BE(at));
      const target = decodeName(bytes, 6).name;
      return { type, priority: priority ?? 0, weight: weight ?? 0, port: port ?? 0, target };
    }
    case "HTTPS":
    case "SVCB": {
      const { name: target, end } = decodeName(bytes, 2);
      return {
        type,
        priority: bytes.readUInt16BE(0),
        target,
        parameters: decodeParameters(bytes, end),
      };
    }
    default:
      return { type, text: decodeStrings(bytes) };
  }
}

function decodeParameters(bytes: Buffer, start: number): ServiceParameter[] {
  const parameters: ServiceParameter[] = [];
  let at = start;
  while (at < bytes.length) {
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) throw new DnsFormatError("a parameter ends too soon");
    parameters.push({ key: bytes.readUInt16BE(at), value: bytes.subarray(at + 4, end) });
    at = end;
  }
  return parameters;
}

function decodeStrings(bytes: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 1 + (bytes[at] ?? 0)) {
    parts.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)));
  }
  return Buffer.concat(parts).toString("utf8");
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
