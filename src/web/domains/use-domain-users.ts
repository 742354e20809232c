import { useCallbackAccounts } from "../callbacks/queries.ts";
import { usePublications } from "../publications/queries.ts";
import { pageAddress } from "../lib/page-address.ts";

/** Tells of a domain account which callback accounts and lists of nodes keep records there. */
export function useDomainUsers(): (id: number) => { name: string; href: string }[] {
  const { data: accounts = [] } = useCallbackAccounts();
  const { data: publications = [] } = usePublications();
  return (id) => [
    ...accounts
      .filter(({ config }) => config["domain_account_id"] === id)
      .map((account) => ({
        name: account.name,
        href: pageAddress("callbackAccount", account.id),
      })),
    ...publications
      .filter((publication) => publication.domain_account_id === id)
      .map((publication) => ({
        name: `${publication.type} ${publication.name}`,
        href: pageAddress("publication", publication.id),
      })),
  ];
}
