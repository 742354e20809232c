import type { Transport } from "../../shared/api/nodes.ts";
import { toPeerUrl } from "../../shared/peer-url.ts";
import type { Fleet } from "../nodes/fleet.ts";

interface Kept {
  /** Of the node's settings, the same for no two nodes. */
  readonly revision: number;
  readonly transport: Transport | null;
  readonly url: string;
}

/** Peer URLs of nodes, put together once for each change of a node's settings. */
export class PeerUrls {
  readonly #fleet: Fleet;
  readonly #kept: (Kept | undefined)[] = [];

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** Of the node's first connection with the transport; null = its first one. */
  of(slot: number, transport: Transport | null): string {
    const revision = this.#fleet.columns.revision[slot] as number;
    const kept = this.#kept[slot];
    if (kept?.revision === revision && kept.transport === transport) return kept.url;
    const connections = this.#fleet.texts.connectionsOf(slot);
    const connection = connections.find((each) => transport === null || each.type === transport);
    if (!connection) throw new Error(`the node in slot ${slot} has no such connection`);
    const url = toPeerUrl(connection);
    this.#kept[slot] = { revision, transport, url };
    return url;
  }
}
