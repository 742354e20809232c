import { useCallbackAccounts } from "../callbacks/queries.ts";
import { pageAddress } from "../lib/page-address.ts";

/** Tells of a domain account which callback accounts keep its records in step. */
export function useDomainUsers(): (id: number) => { name: string; href: string }[] {
  const { data: accounts = [] } = useCallbackAccounts();
  return (id) =>
    accounts
      .filter(({ config }) => config["domain_account_id"] === id)
      .map((account) => ({
        name: account.name,
        href: pageAddress("callbackAccount", account.id),
      }));
}
