import type { Transport } from "../../shared/api/nodes.ts";
import { systemChance, type Chance } from "../lib/chance.ts";
import type { Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { Affinity } from "./affinity.ts";
import type { QueryFilter } from "./filter.ts";
import { HandedOut } from "./handed-out.ts";
import { readQuery } from "./input.ts";
import { NodeText } from "./node-text.ts";
import { defaultPanel, type PanelSize } from "./panel.ts";
import { fleetQuality, type FleetQuality } from "./quality.ts";
import { Readings } from "./readings.ts";
import { SelectorCache } from "./selector-cache.ts";
import { Shortlist } from "./shortlist.ts";
import { Surveyor } from "./surveyor.ts";

export { ANSWER_LIFE_MS } from "./affinity.ts";

const none: ReadonlySet<number> = new Set();

/** Answers which nodes to use now, so that the fleet's load stays even. */
export class QueryService {
  /** For lists that many read. */
  readonly shortlist: Shortlist;
  readonly #fleet: Fleet;
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #handedOut: HandedOut;
  readonly #surveyor: Surveyor;
  readonly #selectors: SelectorCache;
  readonly #affinity: Affinity;
  readonly #text: NodeText;

  constructor(
    fleet: Fleet,
    clock: Clock,
    random: Chance = systemChance,
    panel: PanelSize = defaultPanel,
  ) {
    this.#fleet = fleet;
    this.#clock = clock;
    this.#chance = random;
    this.#handedOut = new HandedOut(fleet, clock);
    this.#surveyor = new Surveyor(fleet, this.#handedOut);
    this.#selectors = new SelectorCache({
      fleet,
      clock,
      handedOut: this.#handedOut,
      surveyor: this.#surveyor,
      readings: new Readings(),
      chance: random,
      panel,
    });
    const sources = { fleet, clock, handedOut: this.#handedOut, surveyor: this.#surveyor };
    this.#affinity = new Affinity(sources);
    this.shortlist = new Shortlist({ ...sources, selectors: this.#selectors, chance: random });
    this.#text = new NodeText(fleet);
  }

  /**
   * The answer to a query as JSON text. `body` is the parsed request body, undefined when there
   * is none.
   * @throws AppError invalid_request with the fields that are wrong
   */
  answer(body: unknown): string {
    const { filter, limit, exclude } = readQuery(body);
    const now = this.#clock.now();
    return `{"nodes":[${this.#text.write(this.pick(filter, limit, now, exclude), now)}]}`;
  }

  /**
   * Slots of up to `limit` different eligible nodes, the best draw first, as many as there are.
   * They count as handed out. `exclude` holds node ids.
   */
  pick(filter: QueryFilter, limit: number, now: number, exclude: readonly number[] = []): number[] {
    const selector = this.#selectors.find(filter);
    if (!selector) return [];
    selector.prepare(now, limit);
    const excluded = this.#slotsOf(exclude);
    let slots = selector.draw(limit, excluded, this.#chance);
    if (slots.length < limit && !selector.isComplete) {
      selector.widen(now, limit);
      slots = selector.draw(limit, excluded, this.#chance);
    }
    if (slots.length === 0) return slots;
    this.#handedOut.add(slots, now);
    selector.putBack(slots);
    selector.rate.note(now);
    return slots;
  }

  /**
   * One eligible node, undefined when there is none. A name keeps its node for as long as that has
   * room; without a name it is drawn. It counts as handed out.
   * @param input in the shape of the body of a query
   * @throws AppError invalid_request with the fields that are wrong
   */
  pickOne(
    input: unknown,
    name: string | undefined,
  ): { slot: number; transport: Transport | null } | undefined {
    const { filter, exclude } = readQuery(input);
    const now = this.#clock.now();
    const slot =
      name === undefined
        ? this.pick(filter, 1, now, exclude)[0]
        : this.#affinity.pick(name, filter, now, this.#slotsOf(exclude));
    return slot === undefined ? undefined : { slot, transport: filter.transport };
  }

  /** How evenly the fleet is used now. */
  fleetQuality(): FleetQuality {
    return fleetQuality(this.#fleet, this.#clock.now());
  }

  #slotsOf(ids: readonly number[]): ReadonlySet<number> {
    if (ids.length === 0) return none;
    const slots = new Set<number>();
    for (const id of ids) {
      const slot = this.#fleet.slotOf(id);
      if (slot !== undefined) slots.add(slot);
    }
    return slots;
  }
}
