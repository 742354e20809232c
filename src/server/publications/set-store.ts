import type { RecordType } from "../../shared/api/domains.ts";
import type { Db } from "../database/database.ts";

/** A record set in which values of a publication stand, or may stand. */
export interface HeldSet {
  publicationId: number;
  accountId: number;
  name: string;
  type: RecordType;
  values: string[];
}

/** In an order of their own that stays. */
export async function readSets(db: Db, publicationId?: number): Promise<HeldSet[]> {
  let query = db
    .selectFrom("node_publication_sets")
    .selectAll()
    .orderBy("publication_id")
    .orderBy("type")
    .orderBy("name");
  if (publicationId !== undefined) query = query.where("publication_id", "=", publicationId);
  return (await query.execute()).map((row) => ({
    publicationId: row.publication_id,
    accountId: row.account_id,
    name: row.name,
    type: row.type as RecordType,
    values: JSON.parse(row.record_values) as string[],
  }));
}

/** Writes down what stands, or may stand, in one set; nothing at all forgets it. */
export async function putSet(db: Db, set: HeldSet): Promise<void> {
  const { publicationId: publication_id, accountId: account_id, name, type, values } = set;
  if (values.length === 0) {
    await db
      .deleteFrom("node_publication_sets")
      .where("publication_id", "=", publication_id)
      .where("account_id", "=", account_id)
      .where("name", "=", name)
      .where("type", "=", type)
      .execute();
    return;
  }
  const record_values = JSON.stringify(values);
  await db
    .insertInto("node_publication_sets")
    .values({ publication_id, account_id, name, type, record_values })
    .onConflict((conflict) =>
      conflict
        .columns(["publication_id", "account_id", "name", "type"])
        .doUpdateSet({ record_values }),
    )
    .execute();
}
