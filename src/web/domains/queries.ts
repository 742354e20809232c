import { useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import type { DomainAccountAnswer, DomainAccountList } from "../../shared/api/domains.ts";
import { useIsBeingDeleted } from "../lib/deletion.ts";
import { useApi } from "../lib/services.tsx";
import { freshQuery } from "../lib/use-fresh.ts";

export function useDomainAccounts() {
  const api = useApi();
  return useQuery({
    queryKey: ["domains", "accounts"],
    queryFn: async ({ signal }) => {
      const path = "/api/domains/accounts";
      return (await api.get<Static<typeof DomainAccountList>>(path, {}, signal)).accounts;
    },
  });
}

export function useDomainAccount(id: number) {
  const api = useApi();
  const path = `/api/domains/accounts/${id}`;
  return useQuery({
    queryKey: ["domains", "account", id],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof DomainAccountAnswer>>(path, {}, signal)).account,
    enabled: !useIsBeingDeleted(path),
    ...freshQuery,
  });
}
