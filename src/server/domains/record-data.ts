import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type { RecordType } from "../../shared/api/domains.ts";
import { quote, readWord, splitWords, toChunks } from "./char-string.ts";
import { toRecordName } from "./dns-name.ts";
import { formatParameters, parseParameters, type ServiceParameter } from "./service-parameters.ts";

/**
 * What one record says. Names are in their one spelling, the root being the empty name. `unknown`
 * is a value that is not understood; it equals none that we would write.
 */
export type RecordData =
  | { type: "A" | "AAAA"; address: string }
  | { type: "SRV"; priority: number; weight: number; port: number; target: string }
  | ServiceBinding
  | { type: "TXT"; text: string }
  | { type: "unknown"; text: string };

export interface ServiceBinding {
  type: "HTTPS" | "SVCB";
  priority: number;
  /** The empty name stands for the record's own. */
  target: string;
  /** In the order of their keys. */
  parameters: readonly ServiceParameter[];
}

/**
 * The one spelling of a value, as a zone file has it: names end with a dot, addresses are as short
 * as they get, texts are quoted. Two values are the same when these are.
 */
export function toText(data: RecordData): string {
  switch (data.type) {
    case "A":
    case "AAAA":
      return data.address;
    case "SRV":
      return `${data.priority} ${data.weight} ${data.port} ${data.target}.`;
    case "HTTPS":
    case "SVCB": {
      const parameters = formatParameters(data.parameters);
      return `${data.priority} ${data.target}.${parameters === "" ? "" : ` ${parameters}`}`;
    }
    case "TXT":
      return toChunks(Buffer.from(data.text, "utf8")).map(quote).join(" ");
    default:
      return data.text;
  }
}

/** Reads a value as it stands in a zone file; names without a final dot are taken as whole. */
export function parseText(type: RecordType, text: string): RecordData {
  return parsers[type](text.trim(), type) ?? { type: "unknown", text };
}

type Parser = (text: string, type: RecordType) => RecordData | undefined;

const parseService: Parser = (text, type) => {
  const [, priority = "", name = "", rest = ""] = /^(\d{1,5})\s+(\S+)\s*(.*)$/s.exec(text) ?? [];
  const target = toTarget(name);
  const parameters = parseParameters(rest);
  if (target === undefined || !parameters || (type !== "HTTPS" && type !== "SVCB"))
    return undefined;
  return { type, priority: Number(priority), target, parameters };
};

const parsers: Readonly<Record<RecordType, Parser>> = {
  A: (text) => (isIPv4(text) ? { type: "A", address: text } : undefined),
  AAAA: (text) => ipv6Data(text),
  SRV: (text) => {
    const [, priority, weight, port, name = ""] =
      /^(\d{1,5})\s+(\d{1,5})\s+(\d{1,5})\s+(\S+)$/.exec(text) ?? [];
    const target = toTarget(name);
    if (target === undefined) return undefined;
    const numbers = { priority: Number(priority), weight: Number(weight), port: Number(port) };
    return { type: "SRV", ...numbers, target };
  },
  HTTPS: parseService,
  SVCB: parseService,
  TXT: (text) => {
    const words = splitWords(text);
    return words && { type: "TXT", text: Buffer.concat(words.map(readWord)).toString("utf8") };
  },
};

export function ipv6Data(text: string): RecordData | undefined {
  if (!isIPv6(text) || text.includes("%")) return undefined;
  return { type: "AAAA", address: ipaddr.IPv6.parse(text).toRFC5952String() };
}

/** The name that a record points at; undefined when it is none. */
export function toTarget(text: string): string | undefined {
  return text === "." ? "" : toRecordName(text);
}

/** A text that a provider gives as it is, or quoted as in a zone file. */
export function parseLooseText(text: string): RecordData {
  return text.startsWith('"') ? parseText("TXT", text) : { type: "TXT", text };
}
