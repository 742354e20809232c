import { DomainError } from "./domain-error.ts";
import { parseText, toText } from "./record-data.ts";
import type { HeldRecord, NewData, RecordEdit } from "./record-plan.ts";
import type { WantedSet } from "./record-set.ts";

/**
 * What must be done so that a set holds the wanted values and no others of ours; nothing when it does.
 * @throws DomainError permanent, when values of others stand where ours must be alone
 */
export function planSet(set: WantedSet, held: readonly HeldRecord[]): RecordEdit[] {
  const ttl = set.ttlSeconds;
  const wanted = new Map(set.values.map((value) => toEntry(set, value)));
  const ours = new Set(set.ours.map((value) => toEntry(set, value)[0]));
  const current = held.filter((each) => wanted.has(textOf(each)));
  const stale = held.filter((each) => !current.includes(each) && ours.has(textOf(each)));
  const foreign = held.filter((each) => !current.includes(each) && !stale.includes(each));
  if (foreign.length > 0 && wanted.size > 0 && !set.mayShare) throw notAlone(set, foreign);
  const edits = current
    .filter((each) => each.ttl !== null && each.ttl !== ttl)
    .map((from): RecordEdit => ({ kind: "replace", from, data: dataOf(wanted, from), ttl }));
  const missing = [...wanted].filter(([text]) => !held.some((each) => textOf(each) === text));
  for (const [, data] of missing) {
    const from = stale.shift();
    edits.push(from ? { kind: "replace", from, data, ttl } : { kind: "add", data, ttl });
  }
  return [...edits, ...stale.map((from): RecordEdit => ({ kind: "remove", from }))];
}

function textOf({ data }: HeldRecord): string {
  return toText(data);
}

function dataOf(wanted: ReadonlyMap<string, NewData>, { data }: HeldRecord): NewData {
  const found = wanted.get(toText(data));
  if (!found) throw new Error("only values that are wanted keep their place");
  return found;
}

/** A value under its one spelling. */
function toEntry({ name, type }: WantedSet, value: string): [string, NewData] {
  const data = parseText(type, value);
  if (data.type !== "unknown") return [toText(data), data];
  const sentence = `${value} cannot be the value of the ${type} record ${name}`;
  throw new DomainError("permanent", "value_not_understood", sentence);
}

function notAlone({ name, type }: WantedSet, foreign: readonly HeldRecord[]): DomainError {
  const values = foreign.map(({ data }) => toText(data)).join(", ");
  return new DomainError(
    "permanent",
    "values_of_others",
    `${name} has a ${type} record that is not ours (${values}), and clients may read that one: choose a name of its own, or remove the record`,
  );
}
