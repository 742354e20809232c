import { DAY_MS } from "../lib/clock.ts";
import type { Receipt } from "./record.ts";
import { SeenFilter } from "./seen-filter.ts";
import type { ReportStore } from "./store.ts";

/** How long a `report_id` is recognised. */
export const RECEIPT_LIFE_MS = DAY_MS;

const PAGE = 5_000;
/**
 * Recognises reports that were sent again. What may not have reached the table yet is known
 * exactly; for the rest a filter rules almost all new ids out, and the table decides.
 */
export class Receipts {
  readonly #store: ReportStore;
  /** Settles when the report is durable, rejects when it was not taken. */
  readonly #recent = new Map<string, Promise<Receipt>>();
  readonly #seen = new SeenFilter(RECEIPT_LIFE_MS);
  /** Whether the filter holds everything that is in the table. */
  #complete = false;

  constructor(store: ReportStore) {
    this.#store = store;
  }

  /** Whether an id is certainly new; cheap, and almost always right about new ones. */
  isNew(nodeId: number, reportId: string): boolean {
    const key = keyOf(nodeId, reportId);
    return this.#complete && !this.#recent.has(key) && !this.#seen.mayHave(key);
  }

  /** The receipt of a report that was accepted within the last 24 hours. */
  async find(nodeId: number, reportId: string, now: number): Promise<Receipt | undefined> {
    const recent = this.recent(nodeId, reportId);
    return recent ?? this.#store.findReceipt(nodeId, reportId, now - RECEIPT_LIFE_MS);
  }

  /** The receipt of a report that is on its way to the table. */
  recent(nodeId: number, reportId: string): Promise<Receipt> | undefined {
    return this.#recent.get(keyOf(nodeId, reportId));
  }

  /** Notes a report that is on its way to the journal. A failed one is forgotten. */
  add(nodeId: number, reportId: string, at: number, receipt: Promise<Receipt>): void {
    const key = keyOf(nodeId, reportId);
    this.#recent.set(key, receipt);
    receipt.then(
      () => this.#seen.add(key, at),
      () => this.#recent.delete(key),
    );
  }

  /** Forgets what was noted before the call once `fold` has brought it into the table. */
  async settle(fold: () => Promise<void>): Promise<void> {
    const noted = [...this.#recent];
    if (noted.length === 0) return;
    await Promise.allSettled(noted.map(([, receipt]) => receipt));
    await fold();
    for (const [key, receipt] of noted) {
      if (this.#recent.get(key) === receipt) this.#recent.delete(key);
    }
  }

  /** Reads the table into the filter, a page at a time; until then the table is asked each time. */
  async load(now: number, stopped: () => boolean): Promise<void> {
    let after: { nodeId: number; reportId: string } | undefined;
    while (!stopped()) {
      const page = await this.#store.receiptKeys(now - RECEIPT_LIFE_MS, after, PAGE);
      for (const each of page) this.#seen.add(keyOf(each.nodeId, each.reportId), each.at);
      after = page.at(-1);
      if (page.length < PAGE) break;
    }
    this.#complete = !stopped();
  }
}

function keyOf(nodeId: number, reportId: string): string {
  return `${nodeId} ${reportId}`;
}
