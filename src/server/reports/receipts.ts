import { DAY_MS } from "../lib/clock.ts";
import type { Receipt } from "./record.ts";
import { SeenFilter } from "./seen-filter.ts";
import type { ReportStore } from "./store.ts";

/** How long a `report_id` is recognised. */
export const RECEIPT_LIFE_MS = DAY_MS;

const PAGE = 5_000;

interface Noted {
  /** Settles when the report is durable, rejects when it was not taken. */
  receipt: Promise<Receipt>;
  /** Of the report that was counted, which another instance may have taken. */
  counted: Receipt | undefined;
  /** Whether its traffic is part of the sums. */
  isCounted: boolean;
}

/**
 * Recognises reports that were sent again. What may not have reached the table yet is known
 * exactly; for the rest a filter rules almost all new ids out, and the table decides.
 */
export class Receipts {
  readonly #store: ReportStore;
  /** On their way to the table. */
  readonly #recent = new Map<string, Noted>();
  readonly #seen = new SeenFilter(RECEIPT_LIFE_MS);
  /** Whether the filter holds everything that is in the table. */
  #complete = false;
  #loads = 0;

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
    const noted = this.#recent.get(keyOf(nodeId, reportId));
    return noted?.counted ? Promise.resolve(noted.counted) : noted?.receipt;
  }

  /** Notes a report that is on its way to the journal. A failed one is forgotten. */
  add(nodeId: number, reportId: string, at: number, receipt: Promise<Receipt>): void {
    const key = keyOf(nodeId, reportId);
    const noted: Noted = { receipt, counted: undefined, isCounted: false };
    this.#recent.set(key, noted);
    receipt.then(
      () => this.#seen.add(key, at),
      () => {
        if (noted.counted) this.#seen.add(key, at);
        else if (this.#recent.get(key) === noted) this.#recent.delete(key);
      },
    );
  }

  /**
   * Whether the traffic of a durable report is to be counted: of those with the same id, which two
   * instances may have taken at one moment, the first is.
   */
  count(nodeId: number, at: number, receipt: Receipt): boolean {
    const key = keyOf(nodeId, receipt.reportId);
    const noted = this.#recent.get(key);
    if (noted?.isCounted) return false;
    if (noted) {
      noted.counted = receipt;
      noted.isCounted = true;
      return true;
    }
    const taken = { receipt: Promise.resolve(receipt), counted: receipt, isCounted: true };
    this.#recent.set(key, taken);
    this.#seen.add(key, at);
    return true;
  }

  /** The sums are put together anew: nothing is part of them yet. */
  countAgain(): void {
    for (const noted of this.#recent.values()) noted.isCounted = false;
  }

  /** Forgets what was noted before the call once `fold` has brought it into the table. */
  async settle(fold: () => Promise<void>): Promise<void> {
    const noted = [...this.#recent];
    if (noted.length === 0) return;
    await Promise.allSettled(noted.map(([, { receipt }]) => receipt));
    await fold();
    for (const [key, each] of noted) {
      if (this.#recent.get(key) === each) this.#recent.delete(key);
    }
  }

  /** Reads the table into the filter, a page at a time; until then the table is asked each time. */
  async load(now: number, stopped: () => boolean): Promise<void> {
    this.#complete = false;
    const load = ++this.#loads;
    let after: { nodeId: number; reportId: string } | undefined;
    while (!stopped()) {
      const page = await this.#store.receiptKeys(now - RECEIPT_LIFE_MS, after, PAGE);
      for (const each of page) this.#seen.add(keyOf(each.nodeId, each.reportId), each.at);
      after = page.at(-1);
      if (page.length < PAGE) break;
    }
    // Another reading that has begun since may know of more.
    if (load === this.#loads) this.#complete = !stopped();
  }
}

function keyOf(nodeId: number, reportId: string): string {
  return `${nodeId} ${reportId}`;
}
