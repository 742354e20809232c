import type { Selectable } from "kysely";
import type { ProviderName } from "../../shared/api/domains.ts";
import type { DomainAccountTable } from "../database/schema-callbacks.ts";
import type { Fields } from "../lib/sealed-fields.ts";

/** A stored account. */
export interface AccountRecord {
  id: number;
  name: string;
  provider: ProviderName;
  /** As stored: its secrets are sealed. */
  config: Fields;
  createdAt: number;
  updatedAt: number;
}

/** What the fields of an account are sealed for. */
export function placeOf(id: number): string {
  return `domain_accounts:${id}`;
}

export function toAccount(row: Selectable<DomainAccountTable>): AccountRecord {
  return {
    id: row.id,
    name: row.name,
    provider: row.provider as ProviderName,
    config: JSON.parse(row.config) as Fields,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
