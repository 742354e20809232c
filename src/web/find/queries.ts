import { useMutation } from "@tanstack/react-query";
import type { QueryAnswer, QueryInput } from "../../shared/api/query.ts";
import { useApi } from "../lib/services.tsx";

/** Asks for nodes. The service counts each answer as handed out, so it is asked on a click only. */
export function useFindNodes() {
  const api = useApi();
  return useMutation({
    mutationFn: async (input: QueryInput) =>
      (await api.post<QueryAnswer>("/api/query", input)).nodes,
  });
}
