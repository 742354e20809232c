import { toShownGb } from "../reports/exact-sum.ts";
import type { Fleet } from "../nodes/fleet.ts";

/** A fleet up to this size is kept as text: half a kilobyte for each node that was answered. */
const KEPT = 1 << 17;

/** A node's text, and everything in it that can change. */
interface Kept {
  /** Of the node's settings, the same for no two nodes. */
  readonly revision: number;
  readonly bandwidth: number;
  readonly tierBandwidth: number;
  readonly connections: number;
  readonly usedTraffic: number;
  readonly text: string;
}

/**
 * Nodes as JSON text in the query's view. In all but huge fleets a text is kept until the node's
 * settings or a report change it: between two reports a node is answered many times.
 */
export class NodeText {
  readonly #fleet: Fleet;
  readonly #kept: (Kept | undefined)[] = [];

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** The nodes in these slots, separated by commas. */
  write(slots: readonly number[], now: number): string {
    const keeps = this.#fleet.end <= KEPT;
    let text = "";
    for (const slot of slots) {
      const usedTraffic = this.#fleet.usedTraffic(slot, now);
      const one = keeps ? this.#keep(slot, usedTraffic) : this.#compose(slot, usedTraffic);
      text += text === "" ? one : `,${one}`;
    }
    return text;
  }

  #keep(slot: number, usedTraffic: number): string {
    const kept = this.#kept[slot];
    const { columns: c } = this.#fleet;
    if (
      kept !== undefined &&
      kept.revision === c.revision[slot] &&
      kept.usedTraffic === usedTraffic &&
      kept.bandwidth === c.bandwidth[slot] &&
      kept.connections === c.connections[slot] &&
      kept.tierBandwidth === c.tierBandwidth[slot]
    ) {
      return kept.text;
    }
    const fresh: Kept = {
      revision: c.revision[slot] as number,
      bandwidth: c.bandwidth[slot] as number,
      tierBandwidth: c.tierBandwidth[slot] as number,
      connections: c.connections[slot] as number,
      usedTraffic,
      text: this.#compose(slot, usedTraffic),
    };
    this.#kept[slot] = fresh;
    return fresh.text;
  }

  #compose(slot: number, usedTraffic: number): string {
    const { columns: c, texts } = this.#fleet;
    return [
      `{"id":${c.id[slot]}`,
      texts.settings[slot],
      `"current_bandwidth":${c.bandwidth[slot]},"tier_bandwidth":${c.tierBandwidth[slot]}`,
      `"connection_count":${c.connections[slot]},"used_traffic":${toShownGb(usedTraffic)}}`,
    ].join(",");
  }
}
