import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";

export interface InstanceRow {
  name: string;
  process: string;
  hasEnded: boolean;
  /** Since it last said that it lives, by the storage's clock. */
  silentMs: number;
}

/** All instances that there were lately. */
export async function readInstances(db: Db, { now }: Dialect): Promise<InstanceRow[]> {
  const rows = await db
    .selectFrom("instances")
    .select(["name", "process", "ended", sql<number>`${now} - beat_at`.as("silent_ms")])
    .execute();
  return rows.map((row) => ({
    name: row.name,
    process: row.process,
    hasEnded: row.ended === 1,
    silentMs: row.silent_ms,
  }));
}

/** The process has the name from now on, whoever had it before. */
export async function register(db: Db, { now }: Dialect, name: string, process: string) {
  const values = { process, beat_at: now, ended: 0 };
  await db
    .insertInto("instances")
    .values({ name, ...values })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
    .execute();
}

/** @returns whether the process still has the name */
export async function beat(
  db: Db,
  { now }: Dialect,
  name: string,
  process: string,
  ended: 0 | 1,
): Promise<boolean> {
  const rows = await db
    .updateTable("instances")
    .set({ beat_at: now, ended })
    .where("name", "=", name)
    .where("process", "=", process)
    .returning("name")
    .execute();
  return rows.length > 0;
}

/** But for those that a rule names, or that hold one: others may have to hold it in their place. */
export async function forgetInstances(db: Db, { now }: Dialect, silentMs: number): Promise<void> {
  await db
    .deleteFrom("instances")
    .where("beat_at", "<", sql<number>`${now} - ${silentMs}`)
    .where("name", "not in", (e) => e.selectFrom("stun_rules").select("instance"))
    .where("name", "not in", (e) => e.selectFrom("stun_stand_ins").select("instance"))
    .execute();
}
