import { sql } from "kysely";
import type { Database, Db } from "../database/database.ts";

/** Rules that are held by none of the living, though the instance that they name was once there. */
export async function readOrphans(db: Db, dead: readonly string[]): Promise<number[]> {
  if (dead.length === 0) return [];
  const rows = await db
    .selectFrom("stun_rules as r")
    .leftJoin("stun_stand_ins as s", "s.rule_id", "r.id")
    .select("r.id")
    .where("r.enabled", "=", 1)
    .where((e) => e(e.fn.coalesce("s.instance", "r.instance"), "in", dead))
    .orderBy("r.id")
    .execute();
  return rows.map((row) => row.id);
}

/** Rules that an instance holds although the one that they name lives. */
export async function readRulesToGiveBack(
  db: Db,
  holder: string,
  living: readonly string[],
): Promise<number[]> {
  const rows = await db
    .selectFrom("stun_stand_ins as s")
    .innerJoin("stun_rules as r", "r.id", "s.rule_id")
    .select("r.id")
    .where("s.instance", "=", holder)
    .where("r.instance", "in", living)
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Makes an instance hold a rule from now on, unless somebody else was quicker.
 * @returns whether it does
 */
export async function takeOver(
  { db, dialect }: Database,
  ruleId: number,
  instance: string,
  dead: ReadonlySet<string>,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // Whoever stores something for the rule has it locked: it comes before this or not at all.
    const query = tx
      .selectFrom("stun_rules")
      .select("instance")
      .where("id", "=", ruleId)
      .where("enabled", "=", 1);
    const rule = await dialect.lockRows(query).executeTakeFirst();
    const standIn = await tx
      .selectFrom("stun_stand_ins")
      .select("instance")
      .where("rule_id", "=", ruleId)
      .executeTakeFirst();
    if (!rule || !dead.has(standIn?.instance ?? rule.instance)) return false;
    await tx.deleteFrom("stun_stand_ins").where("rule_id", "=", ruleId).execute();
    if (rule.instance !== instance) {
      await tx
        .insertInto("stun_stand_ins")
        .values({ rule_id: ruleId, instance, since: dialect.now })
        .execute();
    }
    await raiseRevision(tx, ruleId);
    return true;
  });
}

/** Leaves a rule to the instance that it names. */
export async function giveBack(db: Db, ruleId: number, holder: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await raiseRevision(tx, ruleId);
    await tx
      .deleteFrom("stun_stand_ins")
      .where("rule_id", "=", ruleId)
      .where("instance", "=", holder)
      .execute();
  });
}

async function raiseRevision(tx: Db, ruleId: number): Promise<void> {
  await tx
    .updateTable("stun_rules")
    .set({ revision: sql`revision + 1` })
    .where("id", "=", ruleId)
    .execute();
}
