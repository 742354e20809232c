import type { QueryInput, QueryPriority, QueryRegion } from "../../shared/api/query.ts";

/** What kind of node is looked for, as the form holds it. */
export interface Wish {
  region: string;
  priority: string;
  transport: string;
  tag: string;
  limit: string;
  relayOnly: boolean;
}

export const limits = { least: 1, most: 20, unasked: 3 } as const;

/** The words of the address of the page; what it does not say is as the service takes it. */
export function readWish(params: URLSearchParams): Wish {
  return {
    region: params.get("region") ?? "all",
    priority: params.get("priority") ?? "",
    transport: params.get("transport") ?? "",
    tag: params.get("tag") ?? "",
    limit: params.get("limit") ?? String(limits.unasked),
    relayOnly: params.get("relay") === "1",
  };
}

export function writeWish(wish: Wish): URLSearchParams {
  const params = new URLSearchParams();
  if (wish.region !== "all") params.set("region", wish.region);
  if (wish.priority !== "") params.set("priority", wish.priority);
  if (wish.transport !== "") params.set("transport", wish.transport);
  if (wish.tag.trim() !== "") params.set("tag", wish.tag.trim());
  if (wish.limit !== String(limits.unasked)) params.set("limit", wish.limit);
  if (wish.relayOnly) params.set("relay", "1");
  return params;
}

/** @param exclude ids of nodes that are not wanted */
export function toQuery(wish: Wish, exclude: readonly number[]): QueryInput {
  const tag = wish.tag.trim();
  return {
    region: wish.region as QueryRegion,
    relay_only: wish.relayOnly,
    limit: Number(wish.limit),
    ...(wish.priority !== "" && { priority: wish.priority as QueryPriority }),
    ...(wish.transport !== "" && { transport: wish.transport }),
    ...(tag !== "" && { tag }),
    ...(exclude.length > 0 && { exclude: [...exclude] }),
  };
}

export function isLimit(text: string): boolean {
  const number = Number(text);
  return /^\d+$/.test(text.trim()) && number >= limits.least && number <= limits.most;
}
