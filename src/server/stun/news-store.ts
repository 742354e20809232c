import type { Db } from "../database/database.ts";
import { toChange } from "./rows.ts";
import type { MappingChange } from "./rule.ts";

function rulesWithHolders(db: Db) {
  return db.selectFrom("stun_rules as r").leftJoin("stun_stand_ins as s", "s.rule_id", "r.id");
}

/** What shows of each rule, as a text that is another one whenever that has changed. */
export async function readAppearances(db: Db, here: string): Promise<Map<number, string>> {
  const rows = await rulesWithHolders(db)
    .leftJoin("stun_states as t", "t.rule_id", "r.id")
    .leftJoin("stun_mappings as m", "m.rule_id", "r.id")
    .select(["r.id", "r.revision", "r.instance", "s.instance as stand_in"])
    .select(["t.status", "t.last_error", "m.public_ip", "m.public_port"])
    .execute();
  return new Map(
    rows.map(({ id, ...row }) => {
      // Of those that are held here, more is told by whoever runs them.
      const isHere = (row.stand_in ?? row.instance) === here;
      return [id, JSON.stringify(isHere ? [row.revision, row.stand_in] : row)];
    }),
  );
}

/** Of rules that other instances hold, those behind the id `after`, oldest first. */
export async function readChangesElsewhere(
  db: Db,
  here: string,
  after: number,
): Promise<MappingChange[]> {
  const rows = await rulesWithHolders(db)
    .innerJoin("stun_changes as c", "c.rule_id", "r.id")
    .selectAll("c")
    .where((e) => e(e.fn.coalesce("s.instance", "r.instance"), "<>", here))
    .where("c.id", ">", after)
    .orderBy("c.id")
    .execute();
  return rows.map(toChange);
}

export async function readNewestChangeId(db: Db): Promise<number> {
  const row = await db
    .selectFrom("stun_changes")
    .select((e) => e.fn.max("id").as("newest"))
    .executeTakeFirst();
  return row?.newest ?? 0;
}
