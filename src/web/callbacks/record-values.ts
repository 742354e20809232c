import { domainLimits, type DomainRecord, type RecordType } from "../../shared/api/domains.ts";
import { onlyWrong, type FieldChecks } from "../lib/field-checks.ts";

/** A record as it stands in the form; numbers are "" while a field is empty. */
export interface RecordValues {
  /** Tells rows apart while they are moved about. */
  key: string;
  name: string;
  type: RecordType;
  ttl: number | "";
  ip4p: boolean;
  priority: number | "";
  weight: number | "";
  target: string;
  /** Separated by commas. */
  alpn: string;
  template: string;
}

type Field = Exclude<keyof RecordValues, "key" | "name" | "type" | "ttl">;

/** The fields that a type has beside its name and TTL. */
export const recordFields: Readonly<Record<RecordType, readonly Field[]>> = {
  A: [],
  AAAA: ["ip4p"],
  SRV: ["target", "priority", "weight"],
  HTTPS: ["target", "priority", "alpn"],
  SVCB: ["target", "priority", "alpn"],
  TXT: ["template"],
};

let rows = 0;

export function emptyRecord(): RecordValues {
  return {
    key: `record-${++rows}`,
    name: "",
    type: "A",
    ttl: "",
    ip4p: false,
    priority: "",
    weight: "",
    target: "",
    alpn: "",
    template: "",
  };
}

export function toRecordValues(record: DomainRecord): RecordValues {
  const { alpn = [], ttl = "", priority = "", weight = "", target = "", template = "" } = record;
  return {
    ...emptyRecord(),
    name: record.name,
    type: record.type,
    ip4p: record.ip4p ?? false,
    alpn: [alpn].flat().join(", "),
    ttl,
    priority,
    weight,
    target,
    template,
  };
}

/** Of each type only its own fields, and of these what is filled in. */
export function toRecord(values: RecordValues): DomainRecord {
  const record: DomainRecord = { name: values.name.trim(), type: values.type };
  if (values.ttl !== "") record.ttl = values.ttl;
  for (const field of recordFields[values.type]) {
    if (field === "ip4p") {
      if (values.ip4p) record.ip4p = true;
    } else if (field === "alpn") {
      const words = toWords(values.alpn);
      if (words.length > 0) record.alpn = words;
    } else if (field === "priority" || field === "weight") {
      const value = values[field];
      if (value !== "") record[field] = value;
    } else if (values[field].trim() !== "") record[field] = values[field].trim();
  }
  return record;
}

function toWords(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

const UINT16 = 65_535;

/** What is wrong, by path from the list of records on. */
export function judgeRecords(
  records: readonly RecordValues[],
  path: string,
  checks: FieldChecks,
): Record<string, string> {
  return Object.assign(
    {},
    ...records.map((record, n) => judgeRecord(record, `${path}.${n}`, checks)),
  ) as Record<string, string>;
}

function judgeRecord(values: RecordValues, at: string, checks: FieldChecks) {
  const { name, type, ttl, target } = values;
  const has = (field: Field): boolean => recordFields[type].includes(field);
  const optional = (value: number | "", least: number, most: number) =>
    value === "" ? undefined : checks.wholeNumber(value, least, most);
  return onlyWrong({
    [`${at}.name`]: checks.required(name) ?? checks.atMost(name, domainLimits.recordNameLength),
    [`${at}.ttl`]: optional(ttl, 1, domainLimits.ttlSeconds),
    [`${at}.target`]: type === "SRV" ? checks.required(target) : undefined,
    [`${at}.priority`]: has("priority") ? optional(values.priority, 0, UINT16) : undefined,
    [`${at}.weight`]: has("weight") ? optional(values.weight, 0, UINT16) : undefined,
    [`${at}.template`]: has("template")
      ? checks.atMost(values.template, domainLimits.templateLength)
      : undefined,
  });
}
