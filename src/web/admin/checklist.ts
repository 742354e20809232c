import { useQuery } from "@tanstack/react-query";
import type { SettingList } from "../../shared/api/admin.ts";
import type { CallbackAccount, CallbackTask, Run } from "../../shared/api/callbacks.ts";
import type { AdminNodesAnswer } from "../../shared/api/nodes.ts";
import type { Stats } from "../../shared/api/stats.ts";
import type { Rule } from "../../shared/api/stun.ts";
import type { Api } from "../lib/api.ts";
import { usePollingMs } from "../lib/live.ts";
import { useApi } from "../lib/services.tsx";

const RENEWED_MS = 10_000;
/** Enough to find one that has reported. */
const NODES_LOOKED_AT = 50;

/** What a system has, as far as the checklist is about it. */
export type SystemState = Registry & Holes & Callbacks;

interface Registry {
  stats: Stats;
  hasNode: boolean;
  hasReport: boolean;
  mailIsSet: boolean;
  /** Whether PUBLIC_URL says https. */
  isPublic: boolean;
}

interface Holes {
  rules: readonly Rule[];
}

interface Callbacks {
  accounts: readonly CallbackAccount[];
  tasks: readonly CallbackTask[];
  /** The latest. */
  run: Run | undefined;
}

/** Asked in three parts, since events say when holes and callbacks have changed. */
export function useSystemState() {
  const api = useApi();
  const parts = [
    useQuery({
      queryKey: ["admin", "checklist"],
      queryFn: ({ signal }) => readRegistry(api, signal),
      refetchInterval: RENEWED_MS,
    }),
    useQuery({
      queryKey: ["stun", "checklist"],
      queryFn: ({ signal }) => api.get<Holes>("/api/stun/rules", {}, signal),
      refetchInterval: usePollingMs(RENEWED_MS),
    }),
    useQuery({
      queryKey: ["callbacks", "checklist"],
      queryFn: ({ signal }) => readCallbacks(api, signal),
      refetchInterval: usePollingMs(RENEWED_MS),
    }),
  ] as const;
  const [registry, holes, callbacks] = parts;
  const data =
    registry.data && holes.data && callbacks.data
      ? { ...registry.data, ...holes.data, ...callbacks.data }
      : undefined;
  return {
    data,
    error: registry.error ?? holes.error ?? callbacks.error,
    isPending: parts.some((part) => part.isPending),
    refetch: () => Promise.all(parts.map((part) => part.refetch())),
  };
}

async function readRegistry(api: Api, signal: AbortSignal): Promise<Registry> {
  const [stats, { nodes }, { settings }] = await Promise.all([
    api.get<Stats>("/api/stats", {}, signal),
    api.get<AdminNodesAnswer>("/api/admin/nodes", { limit: NODES_LOOKED_AT }, signal),
    api.get<SettingList>("/api/admin/settings", {}, signal),
  ]);
  const find = (name: string) => settings.find((setting) => setting.name === name);
  return {
    stats,
    hasNode: nodes.length > 0,
    hasReport: stats.online_nodes > 0 || nodes.some((node) => node.reported_at !== null),
    mailIsSet: find("WAYPOST_SMTP_URL")?.set === true,
    isPublic: find("WAYPOST_PUBLIC_URL")?.value?.startsWith("https://") === true,
  };
}

async function readCallbacks(api: Api, signal: AbortSignal): Promise<Callbacks> {
  const [{ accounts }, { tasks }, { runs }] = await Promise.all([
    api.get<{ accounts: CallbackAccount[] }>("/api/callbacks/accounts", {}, signal),
    api.get<{ tasks: CallbackTask[] }>("/api/callbacks/tasks", {}, signal),
    api.get<{ runs: Run[] }>("/api/callbacks/runs", { limit: 1 }, signal),
  ]);
  return { accounts, tasks, run: runs[0] };
}
