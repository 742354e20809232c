import { CLASS, OPCODE, TYPE, type DnsMessage, type ResourceRecord } from "./dns-message.ts";
import { encodeData, typeNumber } from "./rdata.ts";
import type { HeldRecord, RecordChange, RecordEdit } from "./record-plan.ts";

/** RFC 2136 names no default; short, because these records follow an address that moves. */
const DEFAULT_TTL_SECONDS = 300;

const blank = {
  isAnswer: false,
  isAuthoritative: false,
  isTruncated: false,
  rcode: 0,
  answers: [],
  authorities: [],
  additionals: [],
} as const;

export function toQuery(id: number, name: string, type: number): DnsMessage {
  return {
    ...blank,
    id,
    opcode: OPCODE.query,
    questions: [{ name, type, class: CLASS.internet }],
  };
}

/**
 * One update of several record sets (RFC 2136 §2): all of it happens, or none. It is bound to the
 * sets as they were read, so that nobody's change in between is lost.
 */
export function toUpdate(id: number, zone: string, changes: readonly RecordChange[]): DnsMessage {
  return {
    ...blank,
    id,
    opcode: OPCODE.update,
    questions: [{ name: zone, type: TYPE.SOA, class: CLASS.internet }],
    answers: changes.flatMap(toPrerequisites),
    authorities: changes.flatMap((change) =>
      change.edits.flatMap((edit) => toRecords(change, edit)),
    ),
  };
}

/** RFC 2136 §2.4.2, §2.4.3. */
function toPrerequisites({ name, type, held }: RecordChange): ResourceRecord[] {
  const set = { name, type: typeNumber(type), ttl: 0 };
  if (held.length === 0) return [{ ...set, class: CLASS.none, data: Buffer.alloc(0) }];
  return held.map((each) => ({ ...set, class: CLASS.internet, data: bytesOf(each) }));
}

/** RFC 2136 §2.5.1, §2.5.4. */
function toRecords({ name, type, held }: RecordChange, edit: RecordEdit): ResourceRecord[] {
  const set = { name, type: typeNumber(type) };
  const records: ResourceRecord[] = [];
  if (edit.kind !== "add") {
    records.push({ ...set, class: CLASS.none, ttl: 0, data: bytesOf(edit.from) });
  }
  if (edit.kind !== "remove") {
    const ttl = edit.ttl ?? held[0]?.ttl ?? DEFAULT_TTL_SECONDS;
    records.push({ ...set, class: CLASS.internet, ttl, data: encodeData(edit.data) });
  }
  return records;
}

function bytesOf({ handle }: HeldRecord): Buffer {
  return handle as Buffer;
}
