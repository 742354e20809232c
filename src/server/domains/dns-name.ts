import { domainToASCII } from "node:url";

/** A message of the domain name system that cannot be read. */
export class DnsFormatError extends Error {}

const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The one spelling of a name that a record can have: lower case, without a final dot, in ASCII.
 * Underscores may stand anywhere, `*` as the first label. Undefined when `text` is no such name.
 */
export function toRecordName(text: string): string | undefined {
  if (text.length > 1024) return undefined;
  const bare = text.endsWith(".") ? text.slice(0, -1) : text;
  const name = ASCII.test(bare) ? bare.toLowerCase() : domainToASCII(bare);
  if (name.length > LONGEST_NAME) return undefined;
  const labels = name.split(".");
  const plain = labels[0] === "*" && labels.length > 1 ? labels.slice(1) : labels;
  return plain.every((label) => LABEL.test(label)) ? name : undefined;
}

/** Whether `name` is `zone` or lies below it; both in their one spelling. */
export function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** What stands before the zone, `@` for the zone itself. */
export function toSubdomain(name: string, zone: string): string {
  return name === zone ? "@" : name.slice(0, -(zone.length + 1));
}

/** A name as bytes, uncompressed (RFC 1035 §3.1); the empty name is the root. */
export function encodeName(name: string): Buffer {
  if (name === "") return Buffer.from([0]);
  const parts: Buffer[] = [];
  for (const label of splitLabels(name)) {
    if (label.length === 0 || label.length > LONGEST_LABEL) {
      throw new DnsFormatError(`${name} has a label of ${label.length} bytes`);
    }
    parts.push(Buffer.from([label.length]), label);
  }
  const bytes = Buffer.concat([...parts, Buffer.from([0])]);
  if (bytes.length > 255) throw new DnsFormatError(`${name} is too long`);
  return bytes;
}

/**
 * Reads a name, compressed or not (RFC 1035 §4.1.4), in lower case and without a final dot. Bytes
 * that have a meaning in text are escaped as `\DDD`.
 * @throws DnsFormatError
 */
export function decodeName(message: Buffer, offset: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = offset;
  let end: number | undefined;
  let length = 1;
  for (;;) {
    const size = message[at];
    if (size === undefined) throw new DnsFormatError("a name ends too soon");
    if (size === 0) return { name: labels.join("."), end: end ?? at + 1 };
    if (size >= 0xc0) {
      const target = ((size & 0x3f) << 8) | (message[at + 1] ?? 0);
      // A pointer leads back, so that following pointers ends.
      if (at + 1 >= message.length || target >= at) throw new DnsFormatError("a pointer is wrong");
      end ??= at + 2;
      at = target;
      continue;
    }
    if (size > LONGEST_LABEL) throw new DnsFormatError("a label has an unknown kind");
    const label = message.subarray(at + 1, at + 1 + size);
    length += size + 1;
    if (label.length < size || length > 255) throw new DnsFormatError("a name is too long");
    labels.push(toLabelText(label));
    at += size + 1;
  }
}

function toLabelText(label: Buffer): string {
  let text = "";
  for (const byte of label) {
    const isPlain = byte > 0x20 && byte < 0x7f && byte !== 0x2e && byte !== 0x5c && byte !== 0x22;
    text += isPlain
      ? String.fromCharCode(byte).toLowerCase()
      : `\\${String(byte).padStart(3, "0")}`;
  }
  return text;
}

function splitLabels(name: string): Buffer[] {
  const labels: number[][] = [[]];
  for (let at = 0; at < name.length; at++) {
    const character = name.charAt(at);
    if (character === ".") {
      labels.push([]);
      continue;
    }
    const escaped = character === "\\" ? /^\d{3}/.exec(name.slice(at + 1))?.[0] : undefined;
    if (escaped !== undefined) at += 3;
    labels
      .at(-1)
      ?.push(escaped === undefined ? name.charCodeAt(at) & 0xff : Number(escaped) & 0xff);
  }
  return labels.map((bytes) => Buffer.from(bytes));
}
