import type { Fleet } from "../nodes/fleet.ts";
import { toShownGb } from "../reports/exact-sum.ts";

/** Nodes as JSON text in the public view, kept until they change. */
export class PublicTexts {
  readonly #fleet: Fleet;
  #texts: (string | undefined)[] = [];
  #position = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** Forgets the texts of nodes that have changed since the last call. */
  catchUp(): void {
    const { changes } = this.#fleet;
    if (changes.reaches(this.#position)) {
      for (let at = this.#position; at < changes.position; at++) {
        this.#texts[changes.at(at)] = undefined;
      }
    } else {
      this.#texts = [];
    }
    this.#position = changes.position;
  }

  has(slot: number): boolean {
    return this.#texts[slot] !== undefined;
  }

  /** The text of the node as it was at the last `catchUp`, or is now. */
  of(slot: number, now: number): string {
    return (this.#texts[slot] ??= write(this.#fleet, slot, now));
  }
}

function write(fleet: Fleet, slot: number, now: number): string {
  const { columns: c, texts } = fleet;
  const used = toShownGb(fleet.usedTraffic(slot, now));
  const region = c.overseas[slot] === 1 ? "overseas" : "domestic";
  const name = JSON.stringify(texts.names[slot]);
  const detail = JSON.stringify(texts.regionDetails[slot]);
  const tags = JSON.stringify(texts.tags[slot]);
  const status = JSON.stringify(fleet.statuses[slot]);
  return `{"id":${c.id[slot]},"node_name":${name},"region_type":"${region}","region_detail":${detail},"current_bandwidth":${c.bandwidth[slot]},"tier_bandwidth":${c.tierBandwidth[slot]},"max_bandwidth":${c.maxBandwidth[slot]},"used_traffic":${used},"max_traffic":${c.maxTraffic[slot]},"connection_count":${c.connections[slot]},"max_connections":${c.maxConnections[slot]},"tags":${tags},"status":${status},"allow_relay":${c.relay[slot]}}`;
}
