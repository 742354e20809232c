import { publicRegions } from "../../shared/api/public.ts";
import { toTagKey } from "../nodes/tag-index.ts";
import type { FieldError } from "../../shared/field-errors.ts";
import { invalidFields } from "../lib/errors.ts";

/** Which part of the list is asked for. */
export interface ListQuery {
  limit: number;
  /** 0 = from the beginning. */
  after: number;
  region: "domestic" | "overseas" | undefined;
  /** In the form in which tags are compared. */
  tag: string | undefined;
  status: string | undefined;
}

export type Words = Readonly<Record<string, unknown>>;

/** Why a word cannot be taken. */
class Flaw {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** @throws AppError invalid_request naming every parameter that is wrong */
export function parseListQuery(words: Words): ListQuery {
  const faults: FieldError[] = [];
  const read = <T>(name: string, absent: T, reader: (word: string) => T | Flaw): T => {
    const word = words[name];
    if (word === undefined) return absent;
    const value = typeof word === "string" ? reader(word) : new Flaw("must be given only once");
    if (!(value instanceof Flaw)) return value;
    faults.push({ path: name, message: value.message });
    return absent;
  };
  const query: ListQuery = {
    limit: read("limit", Number.POSITIVE_INFINITY, (word) => wholeNumber(word, 1)),
    after: read("after", 0, (word) => wholeNumber(word, 0)),
    region: read<ListQuery["region"]>("region", undefined, toRegion),
    tag: read<string | undefined>("tag", undefined, toTag),
    status: read<string | undefined>("status", undefined, toStatus),
  };
  if (faults.length > 0) throw invalidFields(faults);
  return query;
}

/** Asks for the whole list. */
export const everything: ListQuery = parseListQuery({});

/** Two queries with the same key ask for the same. */
export function keyOf({ limit, after, region, tag, status }: ListQuery): string {
  return JSON.stringify([limit, after, region, tag, status]);
}

function wholeNumber(word: string, minimum: number): number | Flaw {
  const value = /^\d{1,16}$/.test(word) ? Number(word) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= minimum) return value;
  return new Flaw(`must be a whole number of at least ${minimum}`);
}

function toRegion(word: string): ListQuery["region"] | Flaw {
  const region = publicRegions.find((each) => each === word);
  if (!region) return new Flaw(`must be one of ${publicRegions.join(", ")}`);
  return region === "all" ? undefined : region;
}

function toTag(word: string): string | Flaw {
  const tag = toTagKey(word);
  return tag === "" || tag.includes(",") ? new Flaw("must be one tag") : tag;
}

function toStatus(word: string): string | Flaw {
  if (/^[a-z0-9_-]{1,32}$/.test(word)) return word;
  return new Flaw("must be 1 to 32 lower-case letters, digits, _ or -");
}
