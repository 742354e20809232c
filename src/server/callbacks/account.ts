import type { Selectable } from "kysely";
import { accountSecrets, type AccountType } from "../../shared/api/callbacks.ts";
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

/** Answered as they are, but stored sealed: many services hide a token in them. */
const confidential: Partial<Record<AccountType, readonly string[]>> = {
  webhook: ["url", "headers", "body_template"],
};

/** The fields of a config that are stored sealed. */
export function sealedNamesOf(type: AccountType): string[] {
  return [...accountSecrets[type], ...(confidential[type] ?? [])];
}

/** What the fields of an account are sealed for. */
export function placeOf(id: number): string {
  return `callback_accounts:${id}`;
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
