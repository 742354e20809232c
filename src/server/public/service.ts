import type { PublicSearchQuery } from "../../shared/api/public.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { ListBuilder } from "./list-builder.ts";
import { everything, keyOf, parseListQuery, type ListQuery, type Words } from "./list-query.ts";
import { isFresh, type Moment } from "./moment.ts";
import { Representation, type ReadyAnswer } from "./representation.ts";
import { SharedBuild, type Built } from "./shared-build.ts";

const PARTS_KEPT = 64;
/** A longer part of the list is shared by those who ask while it is built, and then forgotten. */
const LONGEST_PART_KEPT_BYTES = 256 * 1024;

/** The list that everybody may read, kept as it is sent. */
export class PublicList {
  readonly #fleet: Fleet;
  readonly #builder: ListBuilder;
  readonly #whole = new SharedBuild<Representation>();
  readonly #parts = new Map<string, SharedBuild<Representation>>();
  /** Long parts are written one after the other: there can be any number of them. */
  #lastLongPart: Promise<unknown> = Promise.resolve();

  constructor(fleet: Fleet, clock: Clock) {
    this.#fleet = fleet;
    this.#builder = new ListBuilder(fleet, clock);
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

  /**
   * One node of the list as JSON text.
   * @throws AppError not_found
   */
  node(id: number): string {
    const text = this.#builder.textOf(id);
    if (text === undefined) throw new AppError("not_found", "The list has no node with this id");
    return `{"node":${text}}`;
  }

  /** A page of the nodes that somebody looks for, as JSON text. */
  search(query: PublicSearchQuery): string {
    return this.#builder.search(query);
  }

  /** Those of listed nodes. */
  tags(): string[] {
    return this.#builder.tags();
  }

  #find(words: Words): Representation | Promise<Representation> {
    const asked = this.#builder.present();
    const isUsable = (built: Moment) => isFresh(built, asked, this.#fleet.totals.total);
    for (const name in words) {
      if (words[name] === undefined) continue;
      const query = parseListQuery(words);
      const key = keyOf(query);
      return this.#part(key).get(isUsable, () => this.#buildPart(key, query));
    }
    return this.#whole.get(isUsable, () =>
      this.#builder.isLong(everything)
        ? this.#builder.buildInSlices(everything)
        : this.#builder.build(everything),
    );
  }

  /** The least recently asked part is forgotten when there are too many. */
  #part(key: string): SharedBuild<Representation> {
    const part = this.#parts.get(key) ?? new SharedBuild<Representation>();
    this.#parts.delete(key);
    this.#parts.set(key, part);
    if (this.#parts.size > PARTS_KEPT) {
      const [oldest] = this.#parts.keys();
      if (oldest !== undefined) this.#parts.delete(oldest);
    }
    return part;
  }

  #buildPart(
    key: string,
    query: ListQuery,
  ): Built<Representation> | Promise<Built<Representation>> {
    if (!this.#builder.isLong(query)) return this.#keepIfShort(key, this.#builder.build(query));
    const building = this.#lastLongPart.then(async () =>
      this.#keepIfShort(key, await this.#builder.buildInSlices(query)),
    );
    this.#lastLongPart = building.catch(() => {});
    return building;
  }

  #keepIfShort(key: string, built: Built<Representation>): Built<Representation> {
    if (built.value.sizeBytes > LONGEST_PART_KEPT_BYTES) this.#parts.delete(key);
    return built;
  }
}
