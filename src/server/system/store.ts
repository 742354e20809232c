import type { Selectable } from "kysely";
import type { Db } from "../database/database.ts";
import type { AuditTable } from "../database/schema.ts";

/** Newest first, those before the id `before`. */
export async function listAudit(
  db: Db,
  page: { limit: number; before?: number | undefined },
): Promise<Selectable<AuditTable>[]> {
  let query = db.selectFrom("audit").selectAll().orderBy("id", "desc").limit(page.limit);
  if (page.before !== undefined) query = query.where("id", "<", page.before);
  return query.execute();
}
