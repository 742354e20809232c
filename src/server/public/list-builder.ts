import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { PublicSearchQuery } from "../../shared/api/public.ts";
import type { Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { BodyWriter } from "./body-writer.ts";
import { ListOrder } from "./list-order.ts";
import { ListPages } from "./list-pages.ts";
import { everything, type ListQuery } from "./list-query.ts";
import { isFresh, type Moment } from "./moment.ts";
import { PublicTexts } from "./node-texts.ts";
import { Representation } from "./representation.ts";
import { PublicSearch } from "./search.ts";
import type { Built } from "./shared-build.ts";

/** More nodes than this are written in slices, with room for others in between. */
const SLICE_NODES = 2000;
/** A node's text is about this long. */
const EXPECTED_BYTES = 330;
const OPENING = '{"nodes":[';
const CLOSING = "]}";

/** Writes the list, or a part of it, as the fleet is at one moment. */
export class ListBuilder {
  readonly #fleet: Fleet;
  readonly #clock: Clock;
  readonly #texts: PublicTexts;
  readonly #pages: ListPages;
  readonly #search: PublicSearch;
  #order: ListOrder | undefined;

  constructor(fleet: Fleet, clock: Clock) {
    this.#fleet = fleet;
    this.#clock = clock;
    this.#texts = new PublicTexts(fleet);
    this.#pages = new ListPages(fleet);
    this.#search = new PublicSearch(fleet);
  }

  present(): Moment {
    const at = this.#clock.now();
    this.#fleet.expire(at);
    return { version: this.#fleet.version, at };
  }

  /** Whether the list is so long that it is written in slices. */
  isLong(query: ListQuery): boolean {
    return Math.min(query.limit, this.#fleet.totals.total) > SLICE_NODES;
  }

  /** A node as the list shows it now; undefined when it is not in it. */
  textOf(id: number): string | undefined {
    const { at } = this.present();
    const slot = this.#fleet.slotOf(id);
    if (slot === undefined || !this.#fleet.isListed(slot)) return undefined;
    this.#texts.catchUp();
    return this.#texts.of(slot, at);
  }

  /** A page of what somebody looks for, as JSON text. */
  search(query: PublicSearchQuery): string {
    const present = this.present();
    this.#texts.catchUp();
    const { slots, found, total } = this.#search.find(query, this.#orderAt(present, false));
    const texts = slots.map((slot) => this.#texts.of(slot, present.at));
    return `${OPENING}${texts.join(",")}],"found":${found},"total":${total}}`;
  }

  tags(): string[] {
    this.present();
    return this.#search.tags();
  }

  build(query: ListQuery): Built<Representation> {
    const { texts, version, at } = this.#pick(query);
    const text = `${OPENING}${texts.join(",")}${CLOSING}`;
    return { value: Representation.of(text), version, at };
  }

  async buildInSlices(query: ListQuery): Promise<Built<Representation>> {
    await this.#writeStaleTexts();
    const { texts, version, at } = this.#pick(query);
    const writer = new BodyWriter(texts.length * EXPECTED_BYTES);
    writer.append(OPENING);
    for (let from = 0; from < texts.length; from += SLICE_NODES) {
      await yieldToOthers();
      if (from > 0) writer.append(",");
      writer.append(texts.slice(from, from + SLICE_NODES).join(","));
    }
    writer.append(CLOSING);
    const { body, digest } = writer.finish();
    return { value: new Representation(body, digest), version, at };
  }

  /** The nodes as they are at this moment, all at once. */
  #pick(query: ListQuery): { texts: string[]; version: number; at: number } {
    const present = this.present();
    this.#texts.catchUp();
    const order = this.#orderAt(present, query === everything);
    const slots = this.#pages.pick(query, order, present.at);
    const texts = slots.map((slot) => this.#texts.of(slot, present.at));
    return { texts, version: order.version, at: order.at };
  }

  #orderAt(present: Moment, mustBeCurrent: boolean): ListOrder {
    const known = this.#order;
    const isUsable = mustBeCurrent
      ? known?.version === present.version
      : known !== undefined && isFresh(known, present, this.#fleet.totals.total);
    if (known && isUsable) return known;
    return (this.#order = new ListOrder(this.#fleet, present.at));
  }

  /** Leaves no more than a slice to be written. */
  async #writeStaleTexts(): Promise<void> {
    for (;;) {
      this.#texts.catchUp();
      const stale = this.#fleet.slotsById().filter((slot) => this.#isStale(slot));
      if (stale.length <= SLICE_NODES) return;
      for (let from = 0; from < stale.length; from += SLICE_NODES) {
        const now = this.#clock.now();
        for (const slot of stale.subarray(from, from + SLICE_NODES)) {
          if (this.#isStale(slot)) this.#texts.of(slot, now);
        }
        await yieldToOthers();
      }
    }
  }

  #isStale(slot: number): boolean {
    return this.#fleet.isListed(slot) && !this.#texts.has(slot);
  }
}
