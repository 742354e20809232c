import type { PublicNode } from "../../shared/api/public.ts";

/** What one looks for in the list, as it stands in the page's address. */
export interface NodeFilter {
  /** Part of a name, a place or a tag. */
  text: string;
  region: string;
  tag: string;
  relayOnly: boolean;
}

export function readFilter(params: URLSearchParams): NodeFilter {
  return {
    text: params.get("q") ?? "",
    region: params.get("region") ?? "",
    tag: params.get("tag") ?? "",
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

export function isFiltered(filter: NodeFilter): boolean {
  return writeFilter(filter).size > 0;
}

export function filterNodes(
  nodes: readonly PublicNode[],
  { text, region, tag, relayOnly }: NodeFilter,
): PublicNode[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const wantedTag = tag.toLowerCase();
  return nodes.filter(
    (node) =>
      (region === "" || node.region_type === region) &&
      (!relayOnly || node.allow_relay === 1) &&
      (wantedTag === "" || tagsOf(node).some((each) => each.toLowerCase() === wantedTag)) &&
      words.every((word) =>
        `${node.node_name}\n${node.region_detail}\n${node.tags}`.toLowerCase().includes(word),
      ),
  );
}

/** Each once. @param node its tags are one text, separated by commas */
export function tagsOf({ tags }: Pick<PublicNode, "tags">): string[] {
  const all = tags.split(",").map((tag) => tag.trim());
  return [...new Set(all.filter((tag) => tag !== ""))];
}
