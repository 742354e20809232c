import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import type { EventName } from "../../shared/api/events.ts";
import type { EventStream } from "./event-stream.ts";
import { useServices } from "./services.tsx";

/** The first word of the queries that each event makes stale. */
const staleBy: Readonly<Record<EventName, string>> = {
  stun_rule: "stun",
  stun_rule_removed: "stun",
  stun_change: "stun",
  callback_run: "callbacks",
};

/** Events come in bunches; queries are asked again at most this often. */
const BUNCH_MS = 500;

/** Keeps the queries of a page for administrators fresh while it is shown. */
export function useLiveQueries(): void {
  const { events } = useServices();
  const client = useQueryClient();
  useEffect(() => refreshByEvents(events, client), [client, events]);
}

/** @returns ends it */
function refreshByEvents(events: EventStream, client: QueryClient): () => void {
  const stale = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    timer = undefined;
    for (const word of stale) void client.invalidateQueries({ queryKey: [word] });
    stale.clear();
  };
  const stop = events.listen(({ event }) => {
    if (!(event in staleBy)) return;
    stale.add(staleBy[event as EventName]);
    timer ??= setTimeout(refresh, BUNCH_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** `refetchInterval` of a query that events keep fresh: asks only while no events come. */
export function usePollingMs(pollingMs: number): number | false {
  const { events } = useServices();
  return useSyncExternalStore(events.watch, events.isLive) ? false : pollingMs;
}
