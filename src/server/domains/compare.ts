import type { DomainRecord } from "../../shared/api/domains.ts";
import { DomainError } from "./domain-error.ts";
import { isWithin, toRecordName } from "./dns-name.ts";
import type { Publication, RecordResult } from "./publication.ts";
import { toText, type RecordData } from "./record-data.ts";
import { planEdits, type HeldRecord, type RecordChange } from "./record-plan.ts";
import { wantedData, type Wanted } from "./record.ts";

/** What a record says and what remains to be done; `change` is absent when nothing does. */
export type Comparison =
  | { skip: string }
  | {
      before: string[] | null;
      change: RecordChange | undefined;
      /** The value that is ours, once the change is made. */
      ours: string;
      note?: string;
    };

export type RecordKey = Pick<RecordResult, "name" | "type">;

export function keyOf({ name, type }: DomainRecord): RecordKey {
  return { name: toRecordName(name) ?? name, type };
}

/**
 * Reads a record and compares it with what it should say. What cannot be read is compared with what
 * was accepted last.
 * @throws DomainError, ExchangeError
 */
export async function compare(
  publication: Publication,
  record: DomainRecord,
  stage: "read" | "verify",
): Promise<Comparison> {
  const key = keyOf(record);
  const wanted = wantedOf(publication, record, undefined);
  if ("skip" in wanted) return wanted;
  refuseForeign(publication, key);
  const { zone, memory } = publication;
  const published = await memory.find(key.name, key.type);
  const held = await zone.read?.(stage, key.name, key.type);
  if (held) return compareHeld(publication, record, held, published);

  const ours = toText(wanted.data);
  const before = published === undefined ? null : [published];
  const note = "This service cannot be asked what it holds";
  if (published === ours) return { before, change: undefined, ours, note };
  const edit = { kind: "add", data: wanted.data, ttl: undefined } as const;
  return { before, change: { ...key, held: [], edits: [edit] }, ours, note };
}

function compareHeld(
  publication: Publication,
  record: DomainRecord,
  held: readonly HeldRecord[],
  published: string | undefined,
): Comparison {
  const { previous, render } = publication;
  const edits = planEdits(
    {
      record,
      wanted: (data) => wantedOf(publication, record, data),
      isPrevious: (data) =>
        toText(data) === published ||
        (previous !== null && says(data, wantedData(record, previous, render, data))),
    },
    held,
  );
  const before = held.map(({ data }) => toText(data));
  const made = edits.find((edit) => edit.kind !== "remove");
  const kept = held.find(({ data }) => says(data, wantedOf(publication, record, data)));
  const ours = made ?? kept;
  if (!ours) throw new Error("a record set is said to be right and holds nothing of ours");
  const change = edits.length === 0 ? undefined : { ...keyOf(record), held, edits };
  return { before, change, ours: toText(ours.data) };
}

function says(data: RecordData, wanted: Wanted): boolean {
  return "data" in wanted && toText(wanted.data) === toText(data);
}

function wantedOf(
  { address, render }: Publication,
  record: DomainRecord,
  held: RecordData | undefined,
): Wanted {
  return wantedData(record, address, render, held);
}

/** @throws DomainError for a record that the account cannot hold */
export function refuseForeign(
  { zone, provider }: Pick<Publication, "zone" | "provider">,
  { name, type }: RecordKey,
): void {
  if (!provider.types.includes(type)) {
    const known = provider.types.join(", ");
    const sentence = `${provider.name} holds records of type ${known} only`;
    throw new DomainError("permanent", "type_not_supported", sentence);
  }
  if (zone.apex !== undefined && !isWithin(name, zone.apex)) {
    throw new DomainError("permanent", "outside_zone", `${name} does not lie in ${zone.apex}`);
  }
}
