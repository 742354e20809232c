import { writeEndpoint } from "../my-nodes/endpoint-text.ts";

export interface DetailLine {
  name: string;
  value: string;
  /** What it was, where that was noted. */
  before?: string;
}

/**
 * Details of an audit entry as lines: a change of a record says each field with both its values.
 * @param toName says a field of which is only known that it was changed
 */
export function toDetailLines(
  details: Readonly<Record<string, unknown>>,
  toName: (field: string) => string,
): DetailLine[] {
  return Object.entries(details).flatMap(([name, value]): DetailLine[] => {
    if (name !== "changed") return [{ name, value: toText(value) }];
    if (isTexts(value)) return [{ name, value: toText(value.map(toName)) }];
    if (!isRecord(value)) return [{ name, value: toText(value) }];
    return Object.entries(value).map(([field, change]) =>
      isRecord(change) && "from" in change && "to" in change
        ? { name: field, before: toText(change["from"]), value: toText(change["to"]) }
        : { name: field, value: toText(change) },
    );
  });
}

/** A connection as `tcp://203.0.113.7:11010`, anything else by its values. */
function toRow(row: Record<string, unknown>): string {
  const { type, ip, port } = row;
  return typeof type === "string" && typeof ip === "string" && typeof port === "number"
    ? writeEndpoint({ type, ip, port })
    : Object.values(row).map(toText).join(" ");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function toText(value: unknown): string {
  if (value === null || value === "" || value === undefined) return "–";
  if (typeof value === "string") return value;
  if (isTexts(value)) return value.length === 0 ? "–" : value.join(", ");
  if (Array.isArray(value) && value.every((each) => isRecord(each))) {
    return value.map(toRow).join(", ");
  }
  return JSON.stringify(value);
}
