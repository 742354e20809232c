import { percentEncode } from "../lib/percent-encode.ts";
import type { Filter } from "./template-syntax.ts";

/** What a template makes. */
export type Place = "url" | "header" | "json" | "form" | "text";
/** Where in it a value stands. */
export type Position = Exclude<Place, "json"> | "json string" | "bare json";

export interface Filtered {
  value: string | number | null;
  /** What the last filter made of it, and what is therefore not done to it again. */
  form: "plain" | "json" | "url" | "raw";
}

export function applyFilters(value: string | number | null, filters: readonly Filter[]): Filtered {
  let filtered: Filtered = { value, form: "plain" };
  for (const filter of filters) filtered = applyFilter(filtered, filter);
  return filtered;
}

function applyFilter({ value, form }: Filtered, filter: Filter): Filtered {
  switch (filter.name) {
    case "default":
      return { value: value === null || value === "" ? filter.fallback : value, form };
    case "json":
      return { value: JSON.stringify(wellFormed(value)), form: "json" };
    case "url":
      return { value: percentEncode(toText(value)), form: "url" };
    case "base64":
      return { value: Buffer.from(toText(value), "utf8").toString("base64"), form: "plain" };
    default:
      return { value, form: filter.name };
  }
}

/** A missing value is an empty word, but `null` where it stands bare in JSON. */
export function escapeFor(position: Position, { value, form }: Filtered): string {
  if (form === "raw") return toText(value);
  switch (position) {
    case "url":
    case "form":
      return form === "url" ? toText(value) : percentEncode(toText(value));
    case "json string":
      return JSON.stringify(toText(value)).slice(1, -1);
    case "bare json":
      return value === null ? "null" : String(value);
    default:
      return toText(value);
  }
}

function toText(value: string | number | null): string {
  return value === null ? "" : String(value).toWellFormed();
}

function wellFormed(value: string | number | null): string | number | null {
  return typeof value === "string" ? value.toWellFormed() : value;
}
