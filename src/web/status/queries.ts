import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type {
  PublicNodeAnswer,
  PublicSearchAnswer,
  PublicTagsAnswer,
} from "../../shared/api/public.ts";
import type { FleetHistory, HistoryRange, NodeHistory, Stats } from "../../shared/api/stats.ts";
import { useApi } from "../lib/services.tsx";
import type { NodeFilter } from "./node-filter.ts";

/** The lists renew themselves this often, while somebody looks. */
const RENEWED_MS = 15_000;
const HISTORY_RENEWED_MS = 60_000;
const TAGS_RENEWED_MS = 60_000;

/** How many nodes are shown at once. */
export const NODES_PER_PAGE = 50;

export function useStats() {
  const api = useApi();
  return useQuery({
    queryKey: ["public", "stats"],
    queryFn: ({ signal }) => api.get<Stats>("/api/stats", {}, signal),
    refetchInterval: RENEWED_MS,
  });
}

/** A page of the list, counted from 1; what was shown stays until the new is there. */
export function usePublicNodes(filter: NodeFilter, page: number) {
  const api = useApi();
  return useQuery({
    queryKey: ["public", "nodes", filter, page],
    queryFn: ({ signal }) => {
      const { text, region, tag, relayOnly } = filter;
      const query = {
        text,
        region,
        tag,
        relay: relayOnly || undefined,
        limit: NODES_PER_PAGE,
        offset: (page - 1) * NODES_PER_PAGE,
      };
      return api.get<PublicSearchAnswer>("/api/public/nodes", query, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: RENEWED_MS,
  });
}

/** Those that one can filter by. */
export function usePublicTags() {
  const api = useApi();
  return useQuery({
    queryKey: ["public", "tags"],
    queryFn: async ({ signal }) =>
      (await api.get<PublicTagsAnswer>("/api/public/tags", {}, signal)).tags,
    refetchInterval: TAGS_RENEWED_MS,
  });
}

export function usePublicNode(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: ["public", "node", id],
    queryFn: async ({ signal }) =>
      (await api.get<PublicNodeAnswer>(`/api/public/nodes/${encodeURIComponent(id)}`, {}, signal))
        .node,
    refetchInterval: RENEWED_MS,
  });
}

export function useFleetHistory(range: HistoryRange) {
  const api = useApi();
  return useQuery({
    queryKey: ["public", "history", range],
    queryFn: ({ signal }) => api.get<FleetHistory>("/api/stats/history", { range }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: HISTORY_RENEWED_MS,
  });
}

export function usePublicNodeHistory(id: string, range: HistoryRange) {
  const api = useApi();
  return useQuery({
    queryKey: ["public", "node", id, "history", range],
    queryFn: ({ signal }) =>
      api.get<NodeHistory>(
        `/api/public/nodes/${encodeURIComponent(id)}/history`,
        { range },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: HISTORY_RENEWED_MS,
  });
}
