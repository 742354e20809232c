import { toPeerUrl } from "../../shared/peer-url.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { isWithdrawn, type Member, type PublicationRecord } from "./publication.ts";

/** Chooses nodes for a list that many read. A wish has the shape of the body of a query. */
export interface Shortlist {
  renew(wish: unknown, before: readonly number[]): { id: number; weight: number }[];
  areUsable(wish: unknown, ids: readonly number[]): boolean;
}

type Wanted = Pick<PublicationRecord, "wish" | "nodes">;

const FULL_WEIGHT = 100;
/** A weight that would change by less stays, so that records do. */
const SAME_WEIGHT = 1.25;

/** Who is on which list. */
export class Membership {
  readonly #shortlist: Shortlist;
  readonly #fleet: Fleet;

  constructor(shortlist: Shortlist, fleet: Fleet) {
    this.#shortlist = shortlist;
    this.#fleet = fleet;
  }

  /** The nodes that should be published after those that are. */
  next({ wish, nodes }: Wanted): Member[] {
    const before = new Map(nodes.map((node) => [node.id, node]));
    const listed = this.#shortlist.renew(wish, [...before.keys()]);
    const largest = Math.max(...listed.map(({ weight }) => weight));
    return listed.flatMap(({ id, weight }) => {
      const url = this.#urlOf(id, wish.transport);
      const part = Math.max(1, Math.round((FULL_WEIGHT * weight) / largest));
      return url === undefined ? [] : [{ id, url, weight: settled(part, before.get(id)?.weight) }];
    });
  }

  /**
   * Whether what is published should not wait for its time: a node of it is lost while there is another,
   * or has moved; or none is published, and there is one.
   */
  isUrgent(publication: PublicationRecord): boolean {
    if (isWithdrawn(publication)) return false;
    const { wish, nodes } = publication;
    const ids = nodes.map(({ id }) => id);
    const isWell = ids.length > 0 && this.#shortlist.areUsable(wish, ids);
    const asItWas = (next: readonly Member[]) =>
      next.length === nodes.length &&
      next.every(({ id, url }) => nodes.some((node) => node.id === id && node.url === url));
    if (!isWell) return !asItWas(this.next(publication));
    return nodes.some(({ id, url }) => this.#urlOf(id, wish.transport) !== url);
  }

  /** Whether one of the nodes can be used now. */
  isAnyUsable(wish: PublicationRecord["wish"], ids: readonly number[]): boolean {
    return ids.some((id) => this.#shortlist.areUsable(wish, [id]));
  }

  /** null: there is no such node any more. */
  nameOf(id: number): string | null {
    const slot = this.#fleet.slotOf(id);
    return slot === undefined ? null : (this.#fleet.texts.names[slot] ?? null);
  }

  #urlOf(id: number, transport: string | undefined): string | undefined {
    const slot = this.#fleet.slotOf(id);
    if (slot === undefined) return undefined;
    const connections = this.#fleet.texts.connectionsOf(slot);
    const found = connections.find(({ type }) => transport === undefined || type === transport);
    return found && toPeerUrl(found);
  }
}

function settled(weight: number, before: number | undefined): number {
  if (before === undefined) return weight;
  return weight < before * SAME_WEIGHT && before < weight * SAME_WEIGHT ? before : weight;
}
