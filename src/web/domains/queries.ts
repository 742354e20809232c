import { useQuery } from "@tanstack/react-query";
import type { Static } from "typebox";
import type { DomainAccountAnswer, DomainAccountList } from "../../shared/api/domains.ts";
import { useApi } from "../lib/services.tsx";

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
  return useQuery({
    queryKey: ["domains", "account", id],
    queryFn: async ({ signal }) => {
      const path = `/api/domains/accounts/${id}`;
      return (await api.get<Static<typeof DomainAccountAnswer>>(path, {}, signal)).account;
    },
  });
}
