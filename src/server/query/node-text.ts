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
    if (!keeps && Number.isNaN(this.#fetch(slots))) throw new Error("a node is not numbers");
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
      `{"id":${c.id[slot]},"node_name":${quote(texts.names[slot] as string)}`,
      `,"region_type":"${c.overseas[slot] === 1 ? "overseas" : "domestic"}"`,
      `,"region_detail":${quote(texts.regionDetails[slot] as string)}`,
      `,"connections":${texts.connections[slot]}`,
      `,"current_bandwidth":${c.bandwidth[slot]},"tier_bandwidth":${c.tierBandwidth[slot]}`,
      `,"connection_count":${c.connections[slot]},"max_connections":${c.maxConnections[slot]}`,
      `,"used_traffic":${toShownGb(usedTraffic)},"max_traffic":${c.maxTraffic[slot]}`,
      `,"tags":${quote(texts.tags[slot] as string)},"allow_relay":${c.relay[slot]}}`,
    ].join("");
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
