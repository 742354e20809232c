import type { Chance } from "../lib/chance.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { TaggedSlots } from "../nodes/tag-index.ts";
import { fits, type FilterBits } from "./filter.ts";
import { drawPanel, type PanelSize } from "./panel.ts";
import { Roster } from "./roster.ts";

/** Whom a selector looks at: everybody, a tag's nodes, or a panel of either when they are many. */
export class Candidates {
  #roster = Roster.ofAll(0);
  readonly #fleet: Fleet;
  readonly #bits: FilterBits;
  readonly #tagged: TaggedSlots | null;
  readonly #panel: PanelSize;
  readonly #chance: Chance;
  #tagVersion = -1;

  constructor(
    fleet: Fleet,
    bits: FilterBits,
    tagged: TaggedSlots | null,
    panel: PanelSize,
    chance: Chance,
  ) {
    this.#fleet = fleet;
    this.#bits = bits;
    this.#tagged = tagged;
    this.#panel = panel;
    this.#chance = chance;
  }

  get roster(): Roster {
    return this.#roster;
  }

  /** Whether everybody who should have a position has one. */
  get isCurrent(): boolean {
    if (this.#tagged) return this.#tagVersion === this.#tagged.version;
    return this.#roster.isPanel || this.#fleet.end <= this.#roster.length;
  }

  /** Gives out positions anew, a panel's to `panelSize` nodes. */
  enlist(panelSize: number): void {
    const tagged = this.#tagged;
    const count = tagged ? tagged.slots.length : this.#fleet.end;
    if (count > this.#panel.from) {
      this.#roster = this.#drawPanel(count, panelSize);
    } else if (!tagged) {
      // Room for some who are not there yet.
      this.#roster = Roster.ofAll(2 ** Math.ceil(Math.log2(Math.max(1, count))));
    } else if (this.#tagVersion !== tagged.version || this.#roster.isPanel) {
      this.#roster = Roster.ofTag(tagged);
    }
    this.#tagVersion = tagged?.version ?? 0;
  }

  #drawPanel(count: number, size: number): Roster {
    const { columns } = this.#fleet;
    const tagged = this.#tagged?.slots;
    const panel = drawPanel(
      count,
      tagged ? (candidate) => tagged[candidate] as number : (candidate) => candidate,
      (slot) => fits(columns, slot, this.#bits),
      { size, block: this.#panel.block },
      this.#chance,
    );
    return Roster.ofPanel(panel);
  }
}
