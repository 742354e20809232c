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
  /** Ends before the next begins: over a slow line, news would else cut off the answers to news. */
  const refresh = async (): Promise<void> => {
    const words = [...stale];
    stale.clear();
    await Promise.all(words.map((word) => client.invalidateQueries({ queryKey: [word] })));
    timer = stale.size > 0 ? setTimeout(() => void refresh(), BUNCH_MS) : undefined;
  };
  const refreshSoon = (...words: readonly string[]): void => {
    for (const word of words) stale.add(word);
    timer ??= setTimeout(() => void refresh(), BUNCH_MS);
  };
  const stop = events.listen(({ event }) => {
    if (event in staleBy) refreshSoon(staleBy[event as EventName]);
  });
  // What has happened before the stream began, or between two of them, nobody has told.
  const stopWatching = events.watch(() => {
    if (events.isLive()) refreshSoon(...Object.values(staleBy));
  });
  return () => {
    stop();
    stopWatching();
    clearTimeout(timer);
    stale.clear();
  };
}

/** `refetchInterval` of a query that events keep fresh: asks only while no events come. */
export function usePollingMs(pollingMs: number): number | false {
  const { events } = useServices();
  return useSyncExternalStore(events.watch, events.isLive) ? false : pollingMs;
}
