import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

const RENEWED_MS = 10_000;

/** For a query with which a form begins: its page learns what others change meanwhile. */
export const freshQuery = {
  refetchOnMount: "always",
  refetchOnWindowFocus: "always",
  refetchInterval: RENEWED_MS,
} as const;

/**
 * What a query has answered since the page was opened, and nothing from before: a form that began with
 * an older answer would write that back over what somebody else has changed meanwhile. The query has
 * to be asked on every mount, as `freshQuery` is. The last answer stays, also when the cache has
 * forgotten it: the form of somebody who has to sign in again is still there.
 */
export function useFresh<Data>({ data, dataUpdatedAt }: UseQueryResult<Data>): Data | undefined {
  const [before] = useState(dataUpdatedAt);
  const [fresh, setFresh] = useState<Data>();
  const isNews = dataUpdatedAt > before && data !== undefined && data !== fresh;
  if (isNews) setFresh(data);
  return isNews ? data : fresh;
}
