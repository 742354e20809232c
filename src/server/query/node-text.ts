import { toShownGb } from "../reports/exact-sum.ts";
import type { Fleet } from "../nodes/fleet.ts";

/** A fleet up to this size is kept as text; some 10 MB when all of it has been answered. */
const KEPT = 1 << 15;

/** A node's words around its numbers. */
interface Fragments {
  /** Of the node's settings, the same for no two nodes. */
  readonly revision: number;
  readonly head: string;
  readonly tail: string;
}

/**
 * Nodes as JSON text in the query's view. In a small fleet, what owners set is put into words once
 * and kept until it changes; what reports change is written each time.
 */
export class NodeText {
  readonly #fleet: Fleet;
  readonly #kept: (Fragments | undefined)[] = [];

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** The nodes in these slots, separated by commas. */
  write(slots: readonly number[], now: number): string {
    const keeps = this.#fleet.end <= KEPT;
    if (!keeps && Number.isNaN(this.#fetch(slots))) throw new Error("a node is not numbers");
    let text = "";
    for (const slot of slots) {
      const { head, tail } = keeps ? this.#keep(slot) : this.#fragments(slot);
      text += `${text === "" ? "" : ","}${head}${this.#live(slot, now)}${tail}`;
    }
    return text;
  }

  #live(slot: number, now: number): string {
    const fleet = this.#fleet;
    const used = toShownGb(fleet.usedTraffic(slot, now));
    const { columns: c } = fleet;
    return `${c.bandwidth[slot]},"tier_bandwidth":${c.tierBandwidth[slot]},"connection_count":${c.connections[slot]},"max_connections":${c.maxConnections[slot]},"used_traffic":${used}`;
  }

  #keep(slot: number): Fragments {
    const kept = this.#kept[slot];
    if (kept && kept.revision === this.#fleet.columns.revision[slot]) return kept;
    return (this.#kept[slot] = this.#fragments(slot));
  }

  #fragments(slot: number): Fragments {
    const { columns: c, texts } = this.#fleet;
    const region = c.overseas[slot] === 1 ? "overseas" : "domestic";
    const name = quote(texts.names[slot] as string);
    const detail = quote(texts.regionDetails[slot] as string);
    const tags = quote(texts.tags[slot] as string);
    return {
      revision: c.revision[slot] as number,
      head: `{"id":${c.id[slot]},"node_name":${name},"region_type":"${region}","region_detail":${detail},"connections":${texts.connections[slot]},"current_bandwidth":`,
      tail: `,"max_traffic":${c.maxTraffic[slot]},"tags":${tags},"allow_relay":${c.relay[slot]}}`,
    };
  }

  /**
   * Reads everything once. In a large fleet each read misses the processor's caches; asked for
   * together they arrive together, asked for one by one while writing they take five times as long.
   */
  #fetch(slots: readonly number[]): number {
    const { columns: c, texts } = this.#fleet;
    let sum = 0;
    for (const slot of slots) {
      sum += (c.id[slot] as number) + (c.revision[slot] as number) + (c.bandwidth[slot] as number);
      sum += (c.tierBandwidth[slot] as number) + (c.connections[slot] as number);
      sum += (c.maxConnections[slot] as number) + (c.maxTraffic[slot] as number);
      sum += (c.usedHigh[slot] as number) + (c.periodEnd[slot] as number);
      sum += (c.overseas[slot] as number) + (c.relay[slot] as number);
      sum += (texts.names[slot] as string).length + (texts.regionDetails[slot] as string).length;
      sum += (texts.connections[slot] as string).length + (texts.tags[slot] as string).length;
    }
    return sum;
  }
}

/** JSON.stringify for text, quicker when nothing needs escaping. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

const PLAIN = /^[ !#-[\]-~]*$/;
