import type { Selectable } from "kysely";
import type { AccountType } from "../../shared/api/callbacks.ts";
import type { CallbackAccountTable } from "../database/schema-callbacks.ts";
import type { Fields } from "../lib/sealed-fields.ts";

/** A stored account. */
export interface AccountRecord {
  id: number;
  name: string;
  type: AccountType;
  /** As stored: what is confidential is sealed. */
  config: Fields;
  /** The same as a text, another one after every change. */
  configText: string;
  createdAt: number;
  updatedAt: number;
}

export function toAccount(row: Selectable<CallbackAccountTable>): AccountRecord {
  return {
    id: row.id,
    name: row.name,
    type: row.type as AccountType,
    config: JSON.parse(row.config) as Fields,
    configText: row.config,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
