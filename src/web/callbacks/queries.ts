import { useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import type {
  AccountAnswer,
  AccountList,
  NextAttempt,
  Run,
  RunAnswer,
  RunList,
  TaskAnswer,
  TaskList,
} from "../../shared/api/callbacks.ts";
import { useIsBeingDeleted } from "../lib/deletion.ts";
import { usePollingMs } from "../lib/live.ts";
import { useApi } from "../lib/services.tsx";
import { freshQuery } from "../lib/use-fresh.ts";
import type { RunFilter } from "./run-filter.ts";

/** While no events come. */
const POLLING_MS = 15_000;
export const RUNS_PER_PAGE = 50;

export function useCallbackAccounts() {
  const api = useApi();
  return useQuery({
    queryKey: ["callbacks", "accounts"],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof AccountList>>("/api/callbacks/accounts", {}, signal)).accounts,
  });
}

export function useCallbackAccount(id: number) {
  const api = useApi();
  const path = `/api/callbacks/accounts/${id}`;
  return useQuery({
    queryKey: ["callbacks", "account", id],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof AccountAnswer>>(path, {}, signal)).account,
    enabled: !useIsBeingDeleted(path),
    ...freshQuery,
  });
}

export function useTasks() {
  const api = useApi();
  return useQuery({
    queryKey: ["callbacks", "tasks"],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof TaskList>>("/api/callbacks/tasks", {}, signal)).tasks,
  });
}

export function useTask(id: number) {
  const api = useApi();
  const path = `/api/callbacks/tasks/${id}`;
  return useQuery({
    queryKey: ["callbacks", "task", id],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof TaskAnswer>>(path, {}, signal)).task,
    enabled: !useIsBeingDeleted(path),
    ...freshQuery,
  });
}

/** One page of the history, newest first; `before` is the last id of the page before. */
export function useRuns(filter: RunFilter, before?: number, limit = RUNS_PER_PAGE) {
  const api = useApi();
  const refetchInterval = usePollingMs(POLLING_MS);
  return useQuery({
    queryKey: ["callbacks", "runs", { ...filter, before, limit }],
    queryFn: async ({ signal }): Promise<Run[]> => {
      const query = { ...filter, before, limit };
      return (await api.get<Static<typeof RunList>>("/api/callbacks/runs", query, signal)).runs;
    },
    refetchInterval,
  });
}

export function useRun(id: number) {
  const api = useApi();
  const refetchInterval = usePollingMs(POLLING_MS);
  return useQuery({
    queryKey: ["callbacks", "run", id],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof RunAnswer>>(`/api/callbacks/runs/${id}`, {}, signal)).run,
    refetchInterval,
  });
}

/** When a run that waits is tried again; null for any other, and as long as that is not known. */
export function useNextAttempt({ id, status, attempt_count: tries }: Run): string | null {
  const api = useApi();
  const isWaiting = status === "retrying";
  const { data } = useQuery({
    // By its tries, so that the time of one is never shown for the next.
    queryKey: ["callbacks", "next-attempt", id, tries],
    queryFn: async ({ signal }) =>
      (await api.get<NextAttempt>(`/api/callbacks/runs/${id}/next-attempt`, {}, signal))
        .next_attempt_at,
    enabled: isWaiting,
  });
  return isWaiting ? (data ?? null) : null;
}
