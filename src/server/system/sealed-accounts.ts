import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { SealedBox } from "../lib/sealed-box.ts";
import { keyIdsOf, resealFields, type Fields } from "../lib/sealed-fields.ts";

/** Accounts whose settings are stored sealed. */
export interface SealedAccounts {
  table: "callback_accounts" | "domain_accounts";
  /** The column that says what kind of account it is. */
  kind: "type" | "provider";
  /** The fields of such an account that are sealed. */
  namesOf(kind: string): readonly string[];
  /** What they are sealed for. */
  placeOf(id: number): string;
}

interface Row {
  id: number;
  kind: string;
  config: string;
}

/** How many fields each key has sealed, by its id. */
export async function countSealed(
  db: Db,
  box: SealedBox,
  accounts: readonly SealedAccounts[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const each of accounts) {
    for (const { kind, config } of await readRows(db, each)) {
      for (const id of keyIdsOf(box, JSON.parse(config) as Fields, each.namesOf(kind))) {
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Seals by the current key what others have sealed. @throws SealError */
export async function sealAnew(
  transaction: Db,
  box: SealedBox,
  accounts: readonly SealedAccounts[],
): Promise<void> {
  for (const each of accounts) {
    for (const { id, kind, config } of await readRows(transaction, each)) {
      const fields = JSON.parse(config) as Fields;
      const sealed = resealFields(box, fields, each.namesOf(kind), each.placeOf(id));
      const text = JSON.stringify(sealed);
      if (text === JSON.stringify(fields)) continue;
      await sql`update ${sql.table(each.table)} set config = ${text} where id = ${id}`.execute(
        transaction,
      );
    }
  }
}

async function readRows(db: Db, { table, kind }: SealedAccounts): Promise<Row[]> {
  const query = sql<Row>`select id, ${sql.ref(kind)} as kind, config from ${sql.table(table)}
    order by id`;
  return (await query.execute(db)).rows;
}
