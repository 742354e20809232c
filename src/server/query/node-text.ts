import { toShownGb } from "../reports/exact-sum.ts";
import type { Fleet } from "../nodes/fleet.ts";

/** A power of two. At some 400 bytes each, full is about 25 MB. */
const KEPT = 1 << 16;

interface Fragments {
  readonly revision: number;
  readonly head: string;
  readonly tail: string;
}

/**
 * Nodes as JSON text in the query's view. What owners set is put into words once and kept until
 * they change; what reports change is written each time.
 */
export class NodeText {
  readonly #fleet: Fleet;
  readonly #kept: (Fragments | undefined)[] = [];

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  write(slot: number, now: number): string {
    const fleet = this.#fleet;
    const { columns: c } = fleet;
    const { head, tail } = this.#fragments(slot);
    const used = toShownGb(fleet.usedTraffic(slot, now));
    return `${head}${c.bandwidth[slot]},"tier_bandwidth":${c.tierBandwidth[slot]},"connection_count":${c.connections[slot]},"max_connections":${c.maxConnections[slot]},"used_traffic":${used}${tail}`;
  }

  #fragments(slot: number): Fragments {
    const fleet = this.#fleet;
    const revision = fleet.columns.revision[slot] as number;
    const place = slot & (KEPT - 1);
    let fragments = this.#kept[place];
    if (fragments?.revision !== revision) {
      fragments = { revision, head: headOf(fleet, slot), tail: tailOf(fleet, slot) };
      this.#kept[place] = fragments;
    }
    return fragments;
  }
}

function headOf({ columns: c, texts }: Fleet, slot: number): string {
  const name = quote(texts.names[slot] as string);
  const region = c.overseas[slot] === 1 ? "overseas" : "domestic";
  const detail = quote(texts.regionDetails[slot] as string);
  return `{"id":${c.id[slot]},"node_name":${name},"region_type":"${region}","region_detail":${detail},"connections":${texts.connections[slot]},"current_bandwidth":`;
}

function tailOf({ columns: c, texts }: Fleet, slot: number): string {
  const tags = quote(texts.tags[slot] as string);
  return `,"max_traffic":${c.maxTraffic[slot]},"tags":${tags},"allow_relay":${c.relay[slot]}}`;
}

/** JSON.stringify for text, quicker when nothing needs escaping. */
function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

const PLAIN = /^[ !#-[\]-~]*$/;
