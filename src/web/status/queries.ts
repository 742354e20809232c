import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { PublicListAnswer, PublicNode, PublicNodeAnswer } from "../../shared/api/public.ts";
import type { FleetHistory, HistoryRange, NodeHistory, Stats } from "../../shared/api/stats.ts";
import { useApi } from "../lib/services.tsx";

/** The lists renew themselves this often, while somebody looks. */
const RENEWED_MS = 15_000;
const HISTORY_RENEWED_MS = 60_000;

/** More nodes than this are not loaded at once: filters narrow the list at the service. */
export const MOST_NODES = 5_000;

export interface ListWish {
  region: string | undefined;
  tag: string | undefined;
}

export function useStats() {
  const api = useApi();
  return useQuery({
    queryKey: ["public", "stats"],
    queryFn: ({ signal }) => api.get<Stats>("/api/stats", {}, signal),
    refetchInterval: RENEWED_MS,
  });
}

/** Online nodes first; what was shown stays until the new is there. */
export function usePublicNodes({ region, tag }: ListWish) {
  const api = useApi();
  return useQuery({
    queryKey: ["public", "nodes", { region, tag }],
    queryFn: async ({ signal }): Promise<readonly PublicNode[]> => {
      const query = { limit: MOST_NODES, region, tag };
      return (await api.get<PublicListAnswer>("/api/public", query, signal)).nodes;
    },
    placeholderData: keepPreviousData,
    refetchInterval: RENEWED_MS,
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
