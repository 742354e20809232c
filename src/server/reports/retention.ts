import { setImmediate as turn } from "node:timers/promises";
import { DAY_MS, type Clock } from "../lib/clock.ts";
import { RECEIPT_LIFE_MS } from "./receipts.ts";
import type { ReportStore } from "./store.ts";

/** How long each length of history bucket is kept. */
const historyKept = [
  { span: 60, ms: DAY_MS },
  { span: 3600, ms: 30 * DAY_MS },
  { span: 86_400, ms: 366 * DAY_MS },
] as const;

/** Rows dropped at a time: a report that arrives meanwhile waits for it. */
const ROWS_AT_ONCE = 500;
/** Kept a little longer than shown, so that the oldest bucket of a chart is whole. */
const MARGIN_MS = 3_600_000;

/** Drops what is older than anybody may ask for. */
export class Retention {
  readonly #store: ReportStore;
  readonly #clock: Clock;

  constructor(store: ReportStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async run(): Promise<void> {
    const now = this.#clock.now();
    await inPortions(() => this.#store.dropReceipts(now - RECEIPT_LIFE_MS, ROWS_AT_ONCE));
    for (const { span, ms } of historyKept) {
      const before = now - ms - MARGIN_MS;
      await inPortions(() => this.#store.dropRollups(span, before, ROWS_AT_ONCE));
      await this.#store.dropFleetRollups(span, before);
    }
  }
}

async function inPortions(drop: () => Promise<number>): Promise<void> {
  while ((await drop()) === ROWS_AT_ONCE) await turn();
}
