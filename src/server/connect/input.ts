import type { FieldError } from "../../shared/field-errors.ts";
import { invalidFields } from "../lib/errors.ts";

/** The parameters of a request target by name; a list where one was given several times. */
export type Words = Readonly<Record<string, unknown>>;

export interface ConnectInput {
  redirect: boolean;
  /** In the shape of the body of `POST /api/query`; its words are not checked. */
  wanted: Record<string, unknown>;
}

const flags: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false };
const asTheyAre = ["region", "priority", "tag", "transport"] as const;

/**
 * What the query of `GET /connect` asks for; parameters it does not know are passed over.
 * @throws AppError invalid_request naming every parameter that is wrong in itself
 */
export function readWords(words: Words): ConnectInput {
  const faults: FieldError[] = [];
  const word = (name: string): string | undefined => {
    const value = words[name];
    if (value === undefined || typeof value === "string") return value;
    faults.push({ path: name, message: "must be given only once" });
    return undefined;
  };
  const flag = (name: string): boolean => {
    const value = word(name) ?? "0";
    const read = Object.hasOwn(flags, value) ? flags[value] : undefined;
    if (read === undefined) faults.push({ path: name, message: "must be 1 or 0" });
    return read ?? false;
  };
  const redirect = flag("redirect");
  const wanted: Record<string, unknown> = { relay_only: flag("relay_only"), limit: 1 };
  for (const name of asTheyAre) {
    const value = word(name);
    if (value !== undefined) wanted[name] = value;
  }
  const exclude = word("exclude");
  if (exclude !== undefined) wanted["exclude"] = toIds(exclude, faults);
  if (faults.length > 0) throw invalidFields(faults);
  return { redirect, wanted };
}

function toIds(text: string, faults: FieldError[]): number[] {
  if (/^\d{1,15}(,\d{1,15})*$/.test(text)) return text.split(",").map(Number);
  faults.push({ path: "exclude", message: "must be ids of nodes, separated by commas" });
  return [];
}
