import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import { SealedBox } from "../lib/sealed-box.ts";
import { keyIdsOf, type Fields } from "../lib/sealed-fields.ts";
import type { SealedAccounts } from "./sealed-accounts.ts";

/** An account with sealed credentials. */
export interface SealedAccount {
  kind: "callback account" | "domain account";
  name: string;
  /** Of the keys that open them. */
  keyIds: string[];
}

interface Row {
  name: string;
  kind: string;
  config: string;
}

/** Reads the names of keys from sealed texts; opens nothing. */
const box = new SealedBox([{ id: "none", bytes: Buffer.alloc(32) }]);

/** Every account whose settings are sealed. @throws SealError when such a text is damaged */
export async function listSealed(
  db: Db,
  accounts: readonly SealedAccounts[],
): Promise<SealedAccount[]> {
  const found: SealedAccount[] = [];
  // Older schemas have none of them.
  const tables = new Set((await db.introspection.getTables()).map(({ name }) => name));
  for (const each of accounts) {
    if (!tables.has(each.table)) continue;
    const { rows } = await sql<Row>`select name, ${sql.ref(each.kind)} as kind, config
      from ${sql.table(each.table)} order by name`.execute(db);
    for (const row of rows) {
      const keyIds = new Set(
        keyIdsOf(box, JSON.parse(row.config) as Fields, each.namesOf(row.kind)),
      );
      if (keyIds.size === 0) continue;
      const noun = each.table === "callback_accounts" ? "callback account" : "domain account";
      found.push({ kind: noun, name: row.name, keyIds: [...keyIds] });
    }
  }
  return found;
}
