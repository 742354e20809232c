import { sql, type Insertable } from "kysely";
import type { Database } from "../database/database.ts";
import type { StunObservationTable } from "../database/schema-stun.ts";
import type { Observation } from "./observation.ts";

/** An observation with the rule whose hole it was made through. */
export interface RuleObservation extends Observation {
  ruleId: number;
}

/** What probes left in the tables. */
export class ObservationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds them; those that are stored already change nothing, those of rules that are gone go. */
  async add(observations: readonly RuleObservation[]): Promise<void> {
    const { db, dialect } = this.#database;
    await db.transaction().execute(async (tx) => {
      const ids = [...new Set(observations.map((each) => each.ruleId))];
      const query = tx.selectFrom("stun_rules").select("id").where("id", "in", ids).orderBy("id");
      const rules = new Set((await dialect.lockRows(query).execute()).map((row) => row.id));
      const kept = observations.filter((each) => rules.has(each.ruleId));
      if (kept.length === 0) return;
      await tx
        .insertInto("stun_observations")
        .values(kept.map(toRow))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  /** Newest first, those before the time `before`. */
  async list(
    ruleId: number,
    page: { limit: number; before?: number | undefined },
  ): Promise<Observation[]> {
    let query = this.#database.db
      .selectFrom("stun_observations")
      .selectAll()
      .where("rule_id", "=", ruleId)
      .orderBy("at", "desc")
      .orderBy("server")
      .limit(page.limit);
    if (page.before !== undefined) query = query.where("at", "<", page.before);
    const rows = await query.execute();
    return rows.map((row) => ({
      at: row.at,
      server: row.server,
      mapped:
        row.public_ip === null || row.public_port === null
          ? null
          : { address: row.public_ip, port: row.public_port },
      rttMs: row.rtt_ms,
      error: row.error,
    }));
  }

  /** @returns how many of a rule were dropped, at most `limit` */
  async drop(ruleId: number, before: number, limit: number): Promise<number> {
    const { db } = this.#database;
    const old = db
      .selectFrom("stun_observations")
      .select(["rule_id", "at", "server"])
      .where("rule_id", "=", ruleId)
      .where("at", "<", before)
      .limit(limit);
    const { rows } = await sql`delete from stun_observations
      where (rule_id, at, server) in (${old}) returning 1 as gone`.execute(db);
    return rows.length;
  }

  /** The rules that may have observations. */
  async ruleIds(): Promise<number[]> {
    const rows = await this.#database.db.selectFrom("stun_rules").select("id").execute();
    return rows.map((row) => row.id);
  }
}

function toRow(observation: RuleObservation): Insertable<StunObservationTable> {
  return {
    rule_id: observation.ruleId,
    at: observation.at,
    server: observation.server,
    public_ip: observation.mapped?.address ?? null,
    public_port: observation.mapped?.port ?? null,
    rtt_ms: observation.rttMs,
    error: observation.error,
  };
}
