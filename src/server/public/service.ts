import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { ListOrder } from "./list-order.ts";
import { ListPages } from "./list-pages.ts";
import { keyOf, parseListQuery, type ListQuery, type Words } from "./list-query.ts";
import { PublicTexts } from "./node-texts.ts";
import { newDigest, Representation, type ReadyAnswer } from "./representation.ts";
import { SharedBuild, type Built } from "./shared-build.ts";

/** Up to this many nodes every answer shows the fleet as it is. */
const ALWAYS_CURRENT_NODES = 500;
/** Beyond that an answer may be older by this much for every `ALWAYS_CURRENT_NODES`. */
const LAG_MS = 5;
/** More nodes than this are written in slices, with room for others in between. */
const SLICE_NODES = 2000;
const QUERIES_KEPT = 64;

/** A state of the fleet. */
interface Moment {
  version: number;
  at: number;
}

const everything: ListQuery = parseListQuery({});

/** The list that everybody may read, kept as it is sent. */
export class PublicList {
  readonly #fleet: Fleet;
  readonly #clock: Clock;
  readonly #texts: PublicTexts;
  readonly #pages: ListPages;
  readonly #whole = new SharedBuild<Representation>();
  readonly #parts = new Map<string, SharedBuild<Representation>>();
  #order: ListOrder | undefined;

  constructor(fleet: Fleet, clock: Clock) {
    this.#fleet = fleet;
    this.#clock = clock;
    this.#texts = new PublicTexts(fleet);
    this.#pages = new ListPages(fleet);
  }

  /**
   * The answer to `GET /api/public`, given two headers of the request and its query.
   * @throws AppError invalid_request
   */
  answer(
    acceptEncoding: string | undefined,
    ifNoneMatch: string | undefined,
    words: Words,
  ): ReadyAnswer | Promise<ReadyAnswer> {
    const representation = this.#find(words);
    if (representation instanceof Representation) {
      return representation.answer(acceptEncoding, ifNoneMatch);
    }
    return representation.then((found) => found.answer(acceptEncoding, ifNoneMatch));
  }

  #find(words: Words): Representation | Promise<Representation> {
    const asked = this.#present();
    const isFresh = (built: Moment) => this.#isFresh(built, asked);
    for (const name in words) {
      if (words[name] === undefined) continue;
      const query = parseListQuery(words);
      return this.#share(keyOf(query)).get(isFresh, () => this.#build(query));
    }
    return this.#whole.get(isFresh, () => this.#build(everything));
  }

  #present(): Moment {
    const at = this.#clock.now();
    this.#fleet.expire(at);
    return { version: this.#fleet.version, at };
  }

  /** A build that begins after the question is always fresh, whatever the clock does. */
  #isFresh(built: Moment, asked: Moment): boolean {
    if (built.version >= asked.version) return true;
    const nodes = this.#fleet.totals.total;
    if (nodes <= ALWAYS_CURRENT_NODES) return false;
    const age = asked.at - built.at;
    return age >= 0 && age <= (nodes / ALWAYS_CURRENT_NODES) * LAG_MS;
  }

  /** The build for a query other than the plain one; the least recently asked is forgotten. */
  #share(key: string): SharedBuild<Representation> {
    const share = this.#parts.get(key) ?? new SharedBuild<Representation>();
    this.#parts.delete(key);
    this.#parts.set(key, share);
    if (this.#parts.size > QUERIES_KEPT) {
      for (const oldest of this.#parts.keys()) {
        this.#parts.delete(oldest);
        break;
      }
    }
    return share;
  }

  #build(query: ListQuery): Built<Representation> | Promise<Built<Representation>> {
    const size = Math.min(query.limit, this.#fleet.totals.total);
    if (size > SLICE_NODES) return this.#buildInSlices(query);
    const { texts, version, at } = this.#pick(query);
    return { value: Representation.of(wrap(texts.join(","))), version, at };
  }

  async #buildInSlices(query: ListQuery): Promise<Built<Representation>> {
    await this.#writeStaleTexts();

    const { texts, version, at } = this.#pick(query);
    const chunks: Buffer[] = [];
    const digest = newDigest();
    for (let from = 0; from < texts.length; from += SLICE_NODES) {
      await yieldToOthers();
      const slice = texts.slice(from, from + SLICE_NODES).join(",");
      const chunk = Buffer.from(from === 0 ? slice : `,${slice}`);
      digest.update(chunk);
      chunks.push(chunk);
    }
    const body = Buffer.concat([Buffer.from(OPENING), ...chunks, Buffer.from(CLOSING)]);
    return { value: new Representation(body, digest.digest("base64url")), version, at };
  }

  /** The nodes as they are at this moment, all at once. */
  #pick(query: ListQuery): { texts: string[]; version: number; at: number } {
    const present = this.#present();
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
      : known !== undefined && this.#isFresh(known, present);
    if (known && isUsable) return known;
    return (this.#order = ListOrder.of(this.#fleet, present.at));
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

const OPENING = '{"nodes":[';
const CLOSING = "]}";

function wrap(nodes: string): string {
  return `${OPENING}${nodes}${CLOSING}`;
}
