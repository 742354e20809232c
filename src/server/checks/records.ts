import { HOUR_MS } from "../lib/clock.ts";
import type { Finding } from "./finding.ts";

/** What checks of one connection of a node came to within an hour, and the latest verdict. */
export interface CheckRecord {
  nodeId: number;
  /** `<transport>://<host>:<port>` */
  connection: string;
  /** Start of the hour. */
  at: number;
  checks: number;
  reachable: number;
  overlay: number;
  latencySum: number;
  checkedAt: number;
  finding: Finding;
}

/** So much is kept while the storage is away; what is found beyond it is lost. */
const RECORDS_KEPT = 20_000;

/** Adds up findings until somebody takes them to the storage. */
export class CheckRecords {
  #records = new Map<string, CheckRecord>();
  /** Findings that were given up since the start. */
  lost = 0;

  get size(): number {
    return this.#records.size;
  }

  /** Takes in a check of a node: what was found for each of its connections, at the same time. */
  add(nodeId: number, findings: ReadonlyMap<string, Finding>, now: number): void {
    const at = now - (now % HOUR_MS);
    for (const [connection, finding] of findings) {
      const key = `${nodeId} ${at} ${connection}`;
      let record = this.#records.get(key);
      if (!record && this.#records.size >= RECORDS_KEPT) {
        this.lost++;
        continue;
      }
      record ??= emptyRecord(nodeId, connection, at, finding);
      this.#records.set(key, record);
      count(record, finding);
      record.checkedAt = now;
    }
  }

  /** Hands out all there are, by node. */
  take(): CheckRecord[] {
    const records = [...this.#records.values()];
    this.#records = new Map();
    return records.sort((a, b) => a.nodeId - b.nodeId);
  }
}

function count(record: CheckRecord, finding: Finding): void {
  record.finding = finding;
  if (finding.isOnline === null) return;
  record.checks++;
  if (!finding.isOnline) return;
  record.reachable++;
  record.latencySum += finding.latencyMs;
  const { handshake } = finding;
  if (handshake !== "not_overlay" && handshake !== "not_tried") record.overlay++;
}

function emptyRecord(
  nodeId: number,
  connection: string,
  at: number,
  finding: Finding,
): CheckRecord {
  return {
    nodeId,
    connection,
    at,
    checks: 0,
    reachable: 0,
    overlay: 0,
    latencySum: 0,
    checkedAt: 0,
    finding,
  };
}
