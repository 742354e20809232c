import type { Kysely } from "kysely";
import type { Schema } from "../../src/server/database/schema.ts";
import { periodAt } from "../../src/server/nodes/period.ts";

const HOUR_S = 3_600;

/** Gives each node the sum of its running period, as far as its history by the hour tells. */
export async function writePeriodTraffic(db: Kysely<Schema>, now: number): Promise<void> {
  const nodes = await db
    .selectFrom("nodes")
    .select(["id", "created_at", "reset_cycle", "period_start", "period_end"])
    .execute();
  for (const node of nodes) {
    const set = { start: node.period_start, end: node.period_end };
    const { start } = periodAt(set, node.created_at, node.reset_cycle, now);
    const { used } = await db
      .selectFrom("node_rollups")
      .select((e) => e.fn.coalesce(e.fn.sum<number>("traffic"), e.lit(0)).as("used"))
      .where("span", "=", HOUR_S)
      .where("node_id", "=", node.id)
      .where("at", ">=", start)
      .executeTakeFirstOrThrow();
    await db
      .updateTable("node_live")
      .set({ used, period_start: start })
      .where("node_id", "=", node.id)
      .execute();
  }
}
