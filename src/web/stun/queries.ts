import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import type {
  ChangeList,
  ObservationList,
  RuleAnswer,
  RuleList,
  StandInList,
} from "../../shared/api/stun.ts";
import { useIsBeingDeleted } from "../lib/deletion.ts";
import { useApi } from "../lib/services.tsx";
import { freshQuery } from "../lib/use-fresh.ts";

/** A probe that shows nothing new is no event; the time of the last one is asked for. */
const PROBES_MS = 10_000;
const CHANGES_PER_PAGE = 8;
const OBSERVATIONS = 300;

export function useRules() {
  const api = useApi();
  return useQuery({
    queryKey: ["stun", "rules"],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof RuleList>>("/api/stun/rules", {}, signal)).rules,
    refetchInterval: PROBES_MS,
  });
}

export function useRule(id: number) {
  const api = useApi();
  return useQuery({
    queryKey: ["stun", "rule", id],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof RuleAnswer>>(rulePath(id), {}, signal)).rule,
    enabled: !useIsBeingDeleted(rulePath(id)),
    ...freshQuery,
    refetchInterval: PROBES_MS,
  });
}

const nobody: ReadonlyMap<number, string> = new Map();

/** The instances that hold rules in place of dead ones, by rule; nobody as long as that is not known. */
export function useStandIns(): ReadonlyMap<number, string> {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["stun", "stand-ins"],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof StandInList>>("/api/stun/stand-ins", {}, signal)).stand_ins,
    select: toHolders,
    refetchInterval: PROBES_MS,
  });
  return data ?? nobody;
}

function toHolders(standIns: Static<typeof StandInList>["stand_ins"]): Map<number, string> {
  return new Map(standIns.map(({ rule_id: ruleId, instance }) => [ruleId, instance]));
}

/** Newest first, page by page. */
export function useChanges(id: number) {
  const api = useApi();
  return useInfiniteQuery({
    queryKey: ["stun", "changes", id],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before, signal }) => {
      const query = { limit: CHANGES_PER_PAGE, before };
      const path = `${rulePath(id)}/changes`;
      return (await api.get<Static<typeof ChangeList>>(path, query, signal)).changes;
    },
    enabled: !useIsBeingDeleted(rulePath(id)),
    getNextPageParam: (page) => (page.length < CHANGES_PER_PAGE ? undefined : page.at(-1)?.id),
  });
}

/** Newest first. */
export function useObservations(id: number) {
  const api = useApi();
  return useQuery({
    queryKey: ["stun", "observations", id],
    queryFn: async ({ signal }) => {
      const path = `${rulePath(id)}/observations`;
      const query = { limit: OBSERVATIONS };
      return (await api.get<Static<typeof ObservationList>>(path, query, signal)).observations;
    },
    enabled: !useIsBeingDeleted(rulePath(id)),
    refetchInterval: PROBES_MS,
  });
}

function rulePath(id: number): string {
  return `/api/stun/rules/${id}`;
}
