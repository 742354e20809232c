import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  AuditList,
  AuditQuery,
  ResetLinkAnswer,
  SettingList,
  UserList,
  UserListQuery,
  UserUpdate,
} from "../../shared/api/admin.ts";
import type { MessageBody } from "../../shared/api/common.ts";
import type { AdminNodeChange, AdminNodesAnswer, AdminNodesQuery } from "../../shared/api/nodes.ts";
import { useApi } from "../lib/services.tsx";

/** The first word of every query here. */
const KEY = "admin";
const PAGE = 100;
const AUDIT_PAGE = 50;
const RENEWED_MS = 10_000;

export type UserFilter = Pick<UserListQuery, "search" | "is_admin" | "verified" | "disabled">;
export type NodeFilter = Pick<AdminNodesQuery, "search" | "status" | "region" | "enabled">;
export type AuditFilter = Pick<AuditQuery, "action" | "actor" | "subject">;

export function useUsers(filter: UserFilter) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: [KEY, "users", filter],
    queryFn: ({ pageParam: after, signal }) =>
      api.get<UserList>("/api/admin/users", { ...filter, after, limit: PAGE }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ users }) => nextAfter(users),
    placeholderData: (previous) => previous,
    select: ({ pages }) => pages.flatMap(({ users }) => users),
  });
}

export function useAllNodes(filter: NodeFilter) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: [KEY, "nodes", filter],
    queryFn: ({ pageParam: after, signal }) =>
      api.get<AdminNodesAnswer>("/api/admin/nodes", { ...filter, after, limit: PAGE }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ nodes }) => nextAfter(nodes),
    placeholderData: (previous) => previous,
    refetchInterval: RENEWED_MS,
    select: ({ pages }) => pages.flatMap(({ nodes }) => nodes),
  });
}

export function useAudit(filter: AuditFilter) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: [KEY, "audit", filter],
    queryFn: ({ pageParam: before, signal }) =>
      api.get<AuditList>("/api/admin/audit", { ...filter, before, limit: AUDIT_PAGE }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries }) =>
      entries.length === AUDIT_PAGE ? entries.at(-1)?.id : undefined,
    placeholderData: (previous) => previous,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  });
}

export function useSettings() {
  const api = useApi();
  return useQuery({
    queryKey: [KEY, "settings"],
    queryFn: ({ signal }) => api.get<SettingList>("/api/admin/settings", {}, signal),
    select: ({ settings }) => settings,
  });
}

/** The id after which the next page begins; undefined: this was the last. */
function nextAfter(rows: readonly { id: number }[]): number | undefined {
  return rows.length === PAGE ? rows.at(-1)?.id : undefined;
}

/** Lists are renewed behind the dialog that has changed something. */
function useRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: [KEY] });
}

export function useChangeUser(id: number) {
  const api = useApi();
  return useMutation({
    mutationFn: (body: UserUpdate) => api.put<MessageBody>(`/api/admin/users/${id}`, body),
    onSuccess: useRefresh(),
  });
}

export function useDeleteUser(id: number) {
  const api = useApi();
  return useMutation({
    mutationFn: () => api.delete<MessageBody>(`/api/admin/users/${id}`),
    onSuccess: useRefresh(),
  });
}

export function useResetLink(id: number) {
  const api = useApi();
  return useMutation({
    mutationFn: () => api.post<ResetLinkAnswer>(`/api/admin/users/${id}/reset-link`, {}),
  });
}

export function useSwitchNode(id: number) {
  const api = useApi();
  return useMutation({
    mutationFn: (body: AdminNodeChange) => api.put<MessageBody>(`/api/admin/nodes/${id}`, body),
    onSuccess: useRefresh(),
  });
}
