import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { MessageBody } from "../../shared/api/common.ts";
import type { NodeChecks } from "../../shared/api/node-checks.ts";
import type {
  NewNode,
  NewNodeAnswer,
  NewTokenAnswer,
  NodeAnswer,
  NodeChange,
  NodeDetails,
  OwnNodesAnswer,
} from "../../shared/api/nodes.ts";
import type { HistoryRange, NodeHistory } from "../../shared/api/stats.ts";
import type { Api } from "../lib/api.ts";
import { useApi } from "../lib/services.tsx";
import { freshQuery } from "../lib/use-fresh.ts";

const RENEWED_MS = 10_000;
const HISTORY_RENEWED_MS = 60_000;

/** The first word of every query here; a change of a node makes all of them stale. */
const KEY = "my-nodes";

export function useMyNodes() {
  const api = useApi();
  return useQuery({
    queryKey: [KEY],
    queryFn: ({ signal }) => api.get<OwnNodesAnswer>("/api/nodes/", {}, signal),
    refetchInterval: RENEWED_MS,
    select: ({ nodes }) => nodes,
  });
}

function nodeQuery(api: Api, id: number) {
  return queryOptions({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => api.get<NodeAnswer>(`/api/nodes/${id}`, {}, signal),
    select: ({ node }: NodeAnswer): NodeDetails => node,
    ...freshQuery,
  });
}

/** @param renewedMs how often it is asked again */
export function useMyNode(id: number, renewedMs = RENEWED_MS) {
  return useQuery({ ...nodeQuery(useApi(), id), refetchInterval: renewedMs });
}

export function useNodeHistory(id: number, range: HistoryRange) {
  const api = useApi();
  return useQuery({
    queryKey: [KEY, id, "history", range],
    queryFn: ({ signal }) => api.get<NodeHistory>(`/api/nodes/${id}/history`, { range }, signal),
    refetchInterval: HISTORY_RENEWED_MS,
    placeholderData: (previous) => previous,
  });
}

export function useNodeChecks(id: number) {
  const api = useApi();
  return useQuery({
    queryKey: [KEY, id, "checks"],
    queryFn: ({ signal }) => api.get<NodeChecks>(`/api/nodes/${id}/checks`, {}, signal),
    refetchInterval: HISTORY_RENEWED_MS,
  });
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

export function useCreateNode() {
  const api = useApi();
  return useMutation({
    mutationFn: (body: NewNode) => api.post<NewNodeAnswer>("/api/nodes/", body),
    onSuccess: useRefresh(),
  });
}

export function useChangeNode(id: number) {
  const api = useApi();
  return useMutation({
    mutationFn: (body: NodeChange) => api.put<MessageBody>(`/api/nodes/${id}`, body),
    onSuccess: useRefresh(),
  });
}

export function useRotateToken(id: number) {
  const api = useApi();
  return useMutation({
    mutationFn: () => api.post<NewTokenAnswer>(`/api/nodes/${id}/report-token`, {}),
  });
}
