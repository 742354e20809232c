import type { Selectable } from "kysely";
import type { Db } from "../database/database.ts";
import { contains, startsWith } from "../database/contains.ts";
import type { AuditTable } from "../database/schema.ts";

/** Which entries are wanted; the wire contract says what each of it means. */
export interface AuditPage {
  limit: number;
  before?: number | undefined;
  action?: string | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
}

/** Newest first, those before the id `before`. */
export async function listAudit(db: Db, page: AuditPage): Promise<Selectable<AuditTable>[]> {
  const { action, actor, subject } = page;
  let query = db.selectFrom("audit").selectAll().orderBy("id", "desc").limit(page.limit);
  if (page.before !== undefined) query = query.where("id", "<", page.before);
  if (action?.includes(".")) query = query.where("action", "=", action);
  else if (action) query = query.where((audit) => startsWith(audit.ref("action"), `${action}.`));
  if (subject !== undefined) query = query.where("subject", "=", subject);
  if (actor !== undefined) {
    query = query.where(({ fn }) => contains(fn<string>("lower", ["actor"]), actor.toLowerCase()));
  }
  return query.execute();
}
