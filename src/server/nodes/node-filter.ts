import type { RegionType } from "../../shared/api/nodes.ts";
import type { Fleet } from "./fleet.ts";

/** Which nodes are listed: those that everything given here is true of. */
export interface NodeFilter {
  /** A part of name, region, tags or owner's address, in any case. */
  search?: string | undefined;
  /** As it is shown. */
  status?: string | undefined;
  region?: RegionType | undefined;
  enabled?: boolean | undefined;
}

/** The first `limit` slots whose ids are above `after` and that pass the filter, by id. */
export function slotsThatPass(
  fleet: Fleet,
  page: { after: number; limit: number },
  filter: NodeFilter,
  now: number,
): number[] {
  if (Object.values(filter).every((each) => each === undefined)) {
    return fleet.slotsAfter(page.after, page.limit);
  }
  const passes = toTest(fleet, filter, now);
  const found: number[] = [];
  for (const slot of fleet.slotsAfter(page.after, Number.MAX_SAFE_INTEGER)) {
    if (passes(slot) && found.push(slot) === page.limit) break;
  }
  return found;
}

function toTest(fleet: Fleet, filter: NodeFilter, now: number): (slot: number) => boolean {
  const { columns, texts } = fleet;
  const { status, region, enabled } = filter;
  const part = filter.search?.toLowerCase() ?? "";
  const holds = (text: string | undefined) => text?.toLowerCase().includes(part) ?? false;
  return (slot) =>
    (region === undefined || (columns.overseas[slot] === 1) === (region === "overseas")) &&
    (enabled === undefined || (columns.enabled[slot] === 1) === enabled) &&
    (status === undefined || fleet.shownStatus(slot, now) === status) &&
    (part === "" ||
      [texts.names, texts.emailKeys, texts.tags, texts.regionDetails].some((each) =>
        holds(each[slot]),
      ));
}
