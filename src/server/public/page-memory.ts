import type { ListOrder } from "./list-order.ts";

/** Where a page ended. */
export interface PageEnd {
  order: ListOrder;
  /** The first place that was not seen. */
  place: number;
}

const KEPT = 512;
const ORDERS_KEPT = 8;
const REMEMBERED_MS = 60_000;

/**
 * Remembers for a minute in which order a list was being read, so that the reader of its next page
 * misses no node and sees none twice although some went on or off meanwhile. It is a kindness of
 * one process: a page that is not remembered here follows the order as it is now.
 */
export class PageMemory {
  readonly #ends = new Map<string, PageEnd & { until: number }>();

  find(key: string, now: number): PageEnd | undefined {
    const end = this.#ends.get(key);
    return end && now < end.until ? end : undefined;
  }

  add(key: string, end: PageEnd, now: number): void {
    this.#ends.delete(key);
    this.#ends.set(key, { ...end, until: now + REMEMBERED_MS });
    const orders = new Set<ListOrder>();
    let count = 0;
    for (const [each, { order }] of [...this.#ends].toReversed()) {
      orders.add(order);
      if (++count > KEPT || orders.size > ORDERS_KEPT) this.#ends.delete(each);
    }
  }
}
