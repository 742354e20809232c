import { toShownGb } from "../reports/exact-sum.ts";
import type { Fleet } from "../nodes/fleet.ts";

/** How many nodes are kept as text, a power of two; full, some 10 MB. */
const KEPT = 1 << 15;

interface Fragments {
  /** Of the node's settings, the same for no two nodes. */
  readonly revision: number;
  readonly head: string;
  readonly tail: string;
}

/**
 * Nodes as JSON text in the query's view. What owners set is put into words once and kept until it
 * changes or the place is needed; what reports change is written each time.
 */
export class NodeText {
  readonly #fleet: Fleet;
  readonly #kept: (Fragments | undefined)[] = Array.from({ length: KEPT });

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  write(slot: number, now: number): string {
    const fleet = this.#fleet;
    const used = toShownGb(fleet.usedTraffic(slot, now));
    const { columns: c } = fleet;
    const { head, tail } = this.#fragments(slot);
    return `${head}${c.bandwidth[slot]},"tier_bandwidth":${c.tierBandwidth[slot]},"connection_count":${c.connections[slot]},"max_connections":${c.maxConnections[slot]},"used_traffic":${used}${tail}`;
  }

  #fragments(slot: number): Fragments {
    const place = slot & (KEPT - 1);
    const revision = this.#fleet.columns.revision[slot] as number;
    const kept = this.#kept[place];
    if (kept?.revision === revision) return kept;
    return (this.#kept[place] = { revision, head: this.#head(slot), tail: this.#tail(slot) });
  }

  #head(slot: number): string {
    const { columns: c, texts } = this.#fleet;
    const region = c.overseas[slot] === 1 ? "overseas" : "domestic";
    const [name, detail] = [texts.names[slot] as string, texts.regionDetails[slot] as string];
    return `{"id":${c.id[slot]},"node_name":${quote(name)},"region_type":"${region}","region_detail":${quote(detail)},"connections":${texts.connections[slot]},"current_bandwidth":`;
  }

  #tail(slot: number): string {
    const { columns: c, texts } = this.#fleet;
    const tags = quote(texts.tags[slot] as string);
    return `,"max_traffic":${c.maxTraffic[slot]},"tags":${tags},"allow_relay":${c.relay[slot]}}`;
  }
}

/** JSON.stringify for text, quicker when nothing needs escaping. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

const PLAIN = /^[ !#-[\]-~]*$/;
