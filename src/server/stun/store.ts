import type { Database, Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { Endpoint } from "./endpoint.ts";
import { toChange, toLiveState, toRule, toRuleColumns, toStateColumns } from "./rows.ts";
import type { LiveState, MappingChange, RuleSettings, StoredMapping, StunRule } from "./rule.ts";

/** In the order of the ids. */
export async function readRules(db: Db): Promise<StunRule[]> {
  const rows = await rulesWithStandIns(db).orderBy("r.id").execute();
  return rows.map(toRule);
}

function rulesWithStandIns(db: Db) {
  return db
    .selectFrom("stun_rules as r")
    .leftJoin("stun_stand_ins as s", "s.rule_id", "r.id")
    .selectAll("r")
    .select("s.instance as stand_in");
}

function rulesToRun(db: Db, instance: string) {
  return rulesWithStandIns(db)
    .where((e) => e(e.fn.coalesce("s.instance", "r.instance"), "=", instance))
    .where("r.enabled", "=", 1);
}

/** The enabled rules that an instance is to run; one of them, or all. */
export async function readRulesToRun(db: Db, instance: string, id?: number): Promise<StunRule[]> {
  let query = rulesToRun(db, instance).orderBy("r.id");
  if (id !== undefined) query = query.where("r.id", "=", id);
  return (await query.execute()).map(toRule);
}

/** Which enabled rules an instance is to run, with their revisions. */
export async function readRevisions(db: Db, instance: string): Promise<Map<number, number>> {
  const rows = await rulesToRun(db, instance)
    .clearSelect()
    .select(["r.id", "r.revision"])
    .execute();
  return new Map(rows.map((row) => [row.id, row.revision]));
}

export async function findRule(db: Db, id: number): Promise<StunRule | undefined> {
  const row = await rulesWithStandIns(db).where("r.id", "=", id).executeTakeFirst();
  return row && toRule(row);
}

/**
 * Reads a rule and keeps others from changing it, and from holding it in another's place, until the
 * transaction ends.
 */
export async function lockRule(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<StunRule | undefined> {
  const query = transaction.selectFrom("stun_rules").selectAll().where("id", "=", id);
  const row = await dialect.lockRows(query).executeTakeFirst();
  if (!row) return undefined;
  // In a statement of its own: it sees what was committed while the lock was waited for.
  const standIn = (await readStandIns(transaction, [id])).get(id) ?? null;
  return toRule({ ...row, stand_in: standIn });
}

/** Which instances hold rules in place of those that the rules name: of some rules, or of all. */
export async function readStandIns(db: Db, ids?: readonly number[]): Promise<Map<number, string>> {
  let query = db.selectFrom("stun_stand_ins").select(["rule_id", "instance"]).orderBy("rule_id");
  if (ids) query = query.where("rule_id", "in", ids);
  const rows = await query.execute();
  return new Map(rows.map((row) => [row.rule_id, row.instance]));
}

/** Names of other rules that want the same port of the same instance. */
export async function findRivals(
  db: Db,
  settings: RuleSettings,
  except: number | undefined,
): Promise<string[]> {
  const { localAddress } = settings;
  if (settings.localPort === 0) return [];
  const rows = await db
    .selectFrom("stun_rules")
    .select(["id", "name", "local_address"])
    .where("instance", "=", settings.instance)
    .where("transport", "=", settings.transport)
    .where("local_port", "=", settings.localPort)
    .execute();
  return rows
    .filter((row) => row.id !== except && overlap(row.local_address, localAddress))
    .map((row) => row.name);
}

/** No address stands for all of them. */
function overlap(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

/** @returns the id */
export async function insertRule(db: Db, settings: RuleSettings, now: number): Promise<number> {
  const { id } = await db
    .insertInto("stun_rules")
    .values({ ...toRuleColumns(settings), revision: 1, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateRule(db: Db, rule: StunRule): Promise<void> {
  await db
    .updateTable("stun_rules")
    .set({ ...toRuleColumns(rule), revision: rule.revision })
    .where("id", "=", rule.id)
    .execute();
}

export async function deleteRule(db: Db, id: number): Promise<void> {
  await db.deleteFrom("stun_rules").where("id", "=", id).execute();
}

/** A rule that was bound elsewhere picks its port anew. */
export async function forgetPickedPort(db: Db, ruleId: number): Promise<void> {
  await db
    .updateTable("stun_states")
    .set({ picked_port: null })
    .where("rule_id", "=", ruleId)
    .execute();
}

/** How a rule runs, and the port picked for it. */
export interface KnownState {
  state: LiveState;
  pickedPort: number | null;
}

/** Stores how rules run here, except for those that are gone or that another instance holds now. */
export async function writeStates(
  database: Pick<Database, "db" | "dialect">,
  here: string,
  states: ReadonlyMap<number, KnownState>,
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    const ids = [...states.keys()];
    const query = tx
      .selectFrom("stun_rules")
      .select(["id", "instance"])
      .where("id", "in", ids)
      .orderBy("id");
    const rules = await database.dialect.lockRows(query).execute();
    const standIns = await readStandIns(tx, ids);
    for (const { id, instance } of rules) {
      const known = states.get(id);
      if (!known || (standIns.get(id) ?? instance) !== here) continue;
      const values = { ...toStateColumns(known.state), picked_port: known.pickedPort };
      await tx
        .insertInto("stun_states")
        .values({ rule_id: id, ...values })
        .onConflict((conflict) => conflict.column("rule_id").doUpdateSet(values))
        .execute();
    }
  });
}

/** How rules ran when that was last stored, and the ports picked for them, by rule. */
export async function readStates(db: Db, ruleId?: number): Promise<Map<number, KnownState>> {
  let query = db.selectFrom("stun_states").selectAll();
  if (ruleId !== undefined) query = query.where("rule_id", "=", ruleId);
  const rows = await query.execute();
  return new Map(
    rows.map((row) => [row.rule_id, { state: toLiveState(row), pickedPort: row.picked_port }]),
  );
}

export async function readMappings(db: Db, ruleId?: number): Promise<Map<number, StoredMapping>> {
  let query = db.selectFrom("stun_mappings").selectAll();
  if (ruleId !== undefined) query = query.where("rule_id", "=", ruleId);
  const rows = await query.execute();
  return new Map(
    rows.map((row) => [row.rule_id, { address: row.public_ip, port: row.public_port, at: row.at }]),
  );
}

/** The mapping of a rule, which stays until the transaction ends. */
export async function lockMapping(
  transaction: Db,
  dialect: Dialect,
  ruleId: number,
): Promise<Endpoint | null> {
  const query = transaction.selectFrom("stun_mappings").selectAll().where("rule_id", "=", ruleId);
  const row = await dialect.lockRows(query).executeTakeFirst();
  return row ? { address: row.public_ip, port: row.public_port } : null;
}

/** Stores a change with the mapping that it makes. @returns its id */
export async function insertChange(
  transaction: Db,
  key: string,
  change: Omit<MappingChange, "id">,
): Promise<number> {
  const mapping = {
    public_ip: change.mapping.address,
    public_port: change.mapping.port,
    at: change.at,
  };
  await transaction
    .insertInto("stun_mappings")
    .values({ rule_id: change.ruleId, ...mapping })
    .onConflict((conflict) => conflict.column("rule_id").doUpdateSet(mapping))
    .execute();
  const { id } = await transaction
    .insertInto("stun_changes")
    .values({
      change_key: key,
      rule_id: change.ruleId,
      ...mapping,
      previous_ip: change.previous?.address ?? null,
      previous_port: change.previous?.port ?? null,
      changed: JSON.stringify(change.changed),
      confirmed_by: JSON.stringify(change.confirmedBy),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function findChangeByKey(db: Db, key: string): Promise<MappingChange | undefined> {
  const row = await db
    .selectFrom("stun_changes")
    .selectAll()
    .where("change_key", "=", key)
    .executeTakeFirst();
  return row && toChange(row);
}

/** Newest first, those before the id `before`. */
export async function listChanges(
  db: Db,
  ruleId: number,
  page: { limit: number; before?: number | undefined },
): Promise<MappingChange[]> {
  let query = db
    .selectFrom("stun_changes")
    .selectAll()
    .where("rule_id", "=", ruleId)
    .orderBy("id", "desc")
    .limit(page.limit);
  if (page.before !== undefined) query = query.where("id", "<", page.before);
  return (await query.execute()).map(toChange);
}

/** When mappings changed since, by rule; first mappings do not count. */
export async function readChangeTimes(db: Db, since: number): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom("stun_changes")
    .select(["rule_id", "at"])
    .where("at", ">=", since)
    .where("previous_ip", "is not", null)
    .orderBy("id")
    .execute();
  const times = new Map<number, number[]>();
  for (const { rule_id: id, at } of rows) times.set(id, [...(times.get(id) ?? []), at]);
  return times;
}
