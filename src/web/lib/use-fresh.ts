import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

/**
 * What a query has answered since the page was opened, and nothing from before: a form that began with
 * an older answer would write that back over what somebody else has changed meanwhile. The query has
 * to be asked on every mount.
 */
export function useFresh<Data>(query: UseQueryResult<Data>): Data | undefined {
  const [before] = useState(query.dataUpdatedAt);
  return query.dataUpdatedAt > before ? query.data : undefined;
}
