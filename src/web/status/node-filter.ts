import type { PublicNode } from "../../shared/api/public.ts";
import { pagePaths } from "../../shared/pages.ts";

/** What one looks for in the list, as it stands in the page's address. */
export interface NodeFilter {
  /** Part of a name, a place or a tag. */
  text: string;
  region: string;
  /** In lower case, as tags are compared. */
  tag: string;
  relayOnly: boolean;
}

export function readFilter(params: URLSearchParams): NodeFilter {
  return {
    text: params.get("q") ?? "",
    region: params.get("region") ?? "",
    tag: (params.get("tag") ?? "").trim().toLowerCase(),
    relayOnly: params.get("relay") === "1",
  };
}

/** Only what is asked for stands in the address. */
export function writeFilter({ text, region, tag, relayOnly }: NodeFilter): URLSearchParams {
  const params = new URLSearchParams();
  if (text !== "") params.set("q", text);
  if (region !== "") params.set("region", region);
  if (tag !== "") params.set("tag", tag);
  if (relayOnly) params.set("relay", "1");
  return params;
}

/** Counted from 1. */
export function readPage(params: URLSearchParams): number {
  const page = Number(params.get("page") ?? 1);
  return Number.isSafeInteger(page) && page > 1 ? page : 1;
}

/** The address of a page of the list. */
export function pageOfList(filter: NodeFilter, page: number): string {
  const params = writeFilter(filter);
  if (page > 1) params.set("page", String(page));
  return params.size === 0 ? pagePaths.status : `${pagePaths.status}?${params.toString()}`;
}

export function isFiltered(filter: NodeFilter): boolean {
  return writeFilter(filter).size > 0;
}

/** Each once. @param node its tags are one text, separated by commas */
export function tagsOf({ tags }: Pick<PublicNode, "tags">): string[] {
  const all = tags.split(",").map((tag) => tag.trim());
  return [...new Set(all.filter((tag) => tag !== ""))];
}
