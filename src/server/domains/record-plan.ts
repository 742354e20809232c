import type { DomainRecord, RecordType } from "../../shared/api/domains.ts";
import { DomainError } from "./domain-error.ts";
import { toText, type RecordData } from "./record-data.ts";
import type { Wanted } from "./record.ts";

/** One value of a record set, as a provider holds it. */
export interface HeldRecord {
  data: RecordData;
  /** In seconds; null when the provider decides it, whatever is asked. */
  ttl: number | null;
  /** Values on different lines are for different askers; empty where there is one line only. */
  line: string;
  /** What the provider needs to find or to rewrite it. */
  handle: unknown;
}

/** A value that can be written. */
export type NewData = Exclude<RecordData, { type: "unknown" }>;

/** `ttl` undefined: it stays as it is, or becomes the provider's default. */
export type RecordEdit =
  | { kind: "add"; data: NewData; ttl: number | undefined }
  | { kind: "replace"; from: HeldRecord; data: NewData; ttl: number | undefined }
  | { kind: "remove"; from: HeldRecord };

/** What is to be done to one record set. */
export interface RecordChange {
  name: string;
  type: RecordType;
  /** The whole set, as it was read. */
  held: readonly HeldRecord[];
  edits: readonly RecordEdit[];
}

export interface PlanInput {
  record: DomainRecord;
  /** The value that should stand in the place of `held`. */
  wanted: (held: RecordData | undefined) => Wanted;
  /** Whether we may have written a value before. */
  isPrevious: (held: RecordData) => boolean;
}

/**
 * What must be done so that a set says the right thing; nothing when it does. A single value is ours
 * to replace; among several only one that says what we said before, and the others stay.
 * @throws DomainError permanent, when nobody can say which value is ours
 */
export function planEdits(input: PlanInput, held: readonly HeldRecord[]): RecordEdit[] {
  const { ttl } = input.record;
  const [only] = held;
  if (only === undefined) return [{ kind: "add", data: dataOf(input, undefined), ttl }];

  const current = held.filter(({ data }) => isWanted(input, data));
  const stale = held.filter((each) => !current.includes(each) && input.isPrevious(each.data));
  const edits = current
    .filter((each) => ttl !== undefined && each.ttl !== null && each.ttl !== ttl)
    .map((from): RecordEdit => ({ kind: "replace", from, data: dataOf(input, from.data), ttl }));
  const taken = new Set(current.map((each) => each.line));
  const ours = current.length === 0 && held.length === 1 ? [only] : stale;
  for (const from of ours) {
    edits.push(
      taken.has(from.line)
        ? { kind: "remove", from }
        : { kind: "replace", from, data: dataOf(input, replaceable(from)), ttl },
    );
    taken.add(from.line);
  }
  if (current.length === 0 && ours.length === 0) throw severalValues(input.record, held);
  return edits;
}

function isWanted(input: PlanInput, data: RecordData): boolean {
  const wanted = input.wanted(data);
  return "data" in wanted && toText(wanted.data) === toText(data);
}

function dataOf(input: PlanInput, held: RecordData | undefined): NewData {
  const wanted = input.wanted(held);
  if ("skip" in wanted) throw new Error("nothing is planned for a record that is skipped");
  return wanted.data;
}

function replaceable({ data }: HeldRecord): RecordData {
  if (data.type !== "unknown") return data;
  throw new DomainError(
    "permanent",
    "value_not_understood",
    `The value ${data.text} is not understood, so it is left alone`,
  );
}

function severalValues({ type }: DomainRecord, held: readonly HeldRecord[]): DomainError {
  const values = held.map(({ data }) => toText(data)).join(", ");
  return new DomainError(
    "permanent",
    "several_values",
    `The ${type} record has ${held.length} values (${values}), and none is the one that was published before: remove those that are not needed, or set one of them to the previous value`,
  );
}

/** The TTL that an edit of the set asks for. */
export function givenTtl({ edits }: RecordChange): number | undefined {
  return edits.flatMap((edit) => (edit.kind === "remove" ? [] : [edit.ttl])).find(isGiven);
}

function isGiven(ttl: number | undefined): boolean {
  return ttl !== undefined;
}

/**
 * The values of a set once it is edited, for providers that are given the whole set.
 * @param make is given the value that it replaces, too
 */
export function afterEdits<T>(
  { held, edits }: RecordChange,
  keep: (held: HeldRecord) => T,
  make: (data: NewData, from: HeldRecord | undefined) => T,
): T[] {
  const edited = new Map(edits.flatMap((e) => (e.kind === "add" ? [] : [[e.from, e] as const])));
  const kept = held.flatMap((each) => {
    const edit = edited.get(each);
    if (!edit) return [keep(each)];
    return edit.kind === "replace" ? [make(edit.data, each)] : [];
  });
  const added = edits.flatMap((e) => (e.kind === "add" ? [make(e.data, undefined)] : []));
  return [...kept, ...added];
}
