import ipaddr from "ipaddr.js";
import { quote, readWord, splitWords } from "./char-string.ts";

/** A parameter of an HTTPS or SVCB record (RFC 9460 §2.1), its value as bytes on the wire. */
export interface ServiceParameter {
  key: number;
  value: Buffer;
}

/** What needs no quotes anywhere. */
const BARE = /^[\w+/=.:,{}?-]+$/;

const ALPN = 1;
const PORT = 3;

const names: Readonly<Record<number, string>> = {
  0: "mandatory",
  1: "alpn",
  2: "no-default-alpn",
  3: "port",
  4: "ipv4hint",
  5: "ech",
  6: "ipv6hint",
  7: "dohpath",
};
const keys = new Map(Object.entries(names).map(([key, name]) => [name, Number(key)]));

export function portParameter(port: number): ServiceParameter {
  const value = Buffer.alloc(2);
  value.writeUInt16BE(port);
  return { key: PORT, value };
}

export function alpnParameter(protocols: readonly string[]): ServiceParameter {
  const parts = protocols.map((each) => Buffer.from(each, "utf8"));
  const value = Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), part]));
  return { key: ALPN, value };
}

/** `parameters` with those of the same keys replaced, in the order of the keys. */
export function withParameters(
  parameters: readonly ServiceParameter[],
  changes: readonly ServiceParameter[],
): ServiceParameter[] {
  const changed = new Set(changes.map((each) => each.key));
  return [...parameters.filter((each) => !changed.has(each.key)), ...changes].toSorted(
    (a, b) => a.key - b.key,
  );
}

/**
 * As zone files write them, in the order of the keys: `alpn=h2,h3 port=443`. Some readers take quotes
 * only where they are needed, others always.
 */
export function formatParameters(
  parameters: readonly ServiceParameter[],
  quotes: "needed" | "always" = "needed",
): string {
  return parameters
    .toSorted((a, b) => a.key - b.key)
    .map(({ key, value }) => {
      const name = names[key] ?? `key${key}`;
      if (value.length === 0) return name;
      const word = valueBytes(key, value);
      const isBare = quotes === "needed" && BARE.test(word.toString("latin1"));
      return `${name}=${isBare ? word.toString("latin1") : quote(word)}`;
    })
    .join(" ");
}

/** Undefined when the text is not understood. */
export function parseParameters(text: string): ServiceParameter[] | undefined {
  const found = new Map<number, Buffer>();
  for (const word of splitWords(text) ?? [""]) {
    const [, name = "", valueText] = /^([a-z0-9-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const known = keys.get(name);
    const key = known ?? numberOf(name);
    const bytes = readWord(valueText ?? "");
    // By its number any key is written as plain bytes.
    const value = known === undefined ? bytes : parseValue(known, bytes);
    if (key === undefined || value === undefined || found.has(key)) return undefined;
    found.set(key, value);
  }
  return [...found].map(([key, value]) => ({ key, value })).toSorted((a, b) => a.key - b.key);
}

function toKey(name: string): number | undefined {
  return keys.get(name) ?? numberOf(name);
}

function byNumber(a: number | undefined = Infinity, b: number | undefined = Infinity): number {
  return a - b;
}

function numberOf(name: string): number | undefined {
  const digits = /^key(\d{1,5})$/.exec(name)?.[1];
  return digits !== undefined && Number(digits) < 65_536 ? Number(digits) : undefined;
}

/** The value as a word, before quotes and escapes. */
function valueBytes(key: number, value: Buffer): Buffer {
  switch (names[key]) {
    case "mandatory":
      return Buffer.from(
        uint16s(value)
          .map((each) => names[each] ?? `key${each}`)
          .join(","),
      );
    case "port":
      return Buffer.from(uint16s(value).join(","));
    case "alpn":
      return Buffer.concat(joinWithCommas(lengthPrefixed(value).map(escapeCommas)));
    case "ipv4hint":
      return Buffer.from(addresses(value, 4).join(","));
    case "ipv6hint":
      return Buffer.from(addresses(value, 16).join(","));
    case "ech":
      return Buffer.from(value.toString("base64"));
    default:
      return value;
  }
}

function parseValue(key: number, bytes: Buffer): Buffer | undefined {
  const text = bytes.toString("utf8");
  switch (names[key]) {
    case "mandatory":
      return fromUint16s(text.split(",").map(toKey).toSorted(byNumber));
    case "port":
      return /^\d{1,5}$/.test(text) ? fromUint16s([Number(text)]) : undefined;
    case "alpn": {
      const words = text.match(/(?:\\.|[^\\,])+/gsu) ?? [];
      return alpnParameter(words.map((word) => word.replaceAll(/\\(.)/gsu, "$1"))).value;
    }
    case "ipv4hint":
    case "ipv6hint":
      return fromAddresses(text.split(","));
    case "ech":
      return Buffer.from(text, "base64");
    default:
      return bytes;
  }
}

function uint16s(value: Buffer): number[] {
  const count = Math.floor(value.length / 2);
  return Array.from({ length: count }, (_, index) => value.readUInt16BE(index * 2));
}

function fromUint16s(values: readonly (number | undefined)[]): Buffer | undefined {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) {
    if (value === undefined || value > 65_535) return undefined;
    bytes.writeUInt16BE(value, index * 2);
  }
  return bytes;
}

function lengthPrefixed(value: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < value.length; at += 1 + (value[at] ?? 0)) {
    parts.push(value.subarray(at + 1, at + 1 + (value[at] ?? 0)));
  }
  return parts;
}

function escapeCommas(part: Buffer): Buffer {
  return Buffer.from(part.toString("latin1").replaceAll(/[\\,]/g, String.raw`\$&`), "latin1");
}

function joinWithCommas(parts: readonly Buffer[]): Buffer[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(","), part]));
}

function addresses(value: Buffer, size: 4 | 16): string[] {
  const count = Math.floor(value.length / size);
  return Array.from({ length: count }, (_, index) =>
    ipaddr.fromByteArray([...value.subarray(index * size, (index + 1) * size)]).toString(),
  );
}

function fromAddresses(texts: readonly string[]): Buffer | undefined {
  if (!texts.every((text) => ipaddr.isValid(text))) return undefined;
  return Buffer.from(texts.flatMap((text) => ipaddr.parse(text).toByteArray()));
}
