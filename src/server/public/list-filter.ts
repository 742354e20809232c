import type { Fleet } from "../nodes/fleet.ts";
import type { ListQuery } from "./list-query.ts";

/** Decides which listed nodes a query wants. */
export class ListFilter {
  readonly #fleet: Fleet;
  readonly #overseas: 0 | 1 | undefined;
  readonly #status: string | undefined;
  /** 1 by slot for the nodes with the tag. */
  readonly #tagged: Uint8Array | undefined;

  constructor(fleet: Fleet, { region, tag, status }: Pick<ListQuery, "region" | "tag" | "status">) {
    this.#fleet = fleet;
    this.#overseas = region === undefined ? undefined : region === "overseas" ? 1 : 0;
    this.#status = status;
    this.#tagged = tag === undefined ? undefined : marksOf(fleet, tag);
  }

  wants(slot: number): boolean {
    return (
      (this.#overseas === undefined || this.#fleet.columns.overseas[slot] === this.#overseas) &&
      (this.#status === undefined || this.#fleet.statuses[slot] === this.#status) &&
      (this.#tagged === undefined || this.#tagged[slot] === 1)
    );
  }
}

function marksOf(fleet: Fleet, tag: string): Uint8Array {
  const marks = new Uint8Array(fleet.end);
  for (const slot of fleet.tags.find(tag)?.slots ?? []) marks[slot] = 1;
  return marks;
}
