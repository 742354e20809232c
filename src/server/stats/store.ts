import type { Db } from "../database/database.ts";
import type { FleetRollupTable } from "../database/schema.ts";
import type { NodeBucket } from "./series.ts";

/** The key begins with the time, so a node's rows are looked up one by one, some at once. */
const BUCKETS_AT_ONCE = 360;

/** The stored buckets of a node, in order, among those that begin at `starts`. */
export async function readNodeBuckets(
  db: Db,
  nodeId: number,
  span: number,
  starts: readonly number[],
): Promise<NodeBucket[]> {
  const buckets: NodeBucket[] = [];
  for (let from = 0; from < starts.length; from += BUCKETS_AT_ONCE) {
    const rows = await db
      .selectFrom("node_rollups")
      .select(["at", "up_ms", "bandwidth", "connections", "traffic"])
      .where("span", "=", span)
      .where("at", "in", starts.slice(from, from + BUCKETS_AT_ONCE))
      .where("node_id", "=", nodeId)
      .orderBy("at")
      .execute();
    for (const { up_ms: upMs, ...row } of rows) buckets.push({ ...row, upMs });
  }
  return buckets;
}

/** The fleet's buckets from `from` on, in order. */
export function readFleetBuckets(db: Db, span: number, from: number): Promise<FleetRollupTable[]> {
  return db
    .selectFrom("fleet_rollups")
    .selectAll()
    .where("span", "=", span)
    .where("at", ">=", from)
    .orderBy("at")
    .execute();
}

/** The minutes from `from` on as one bucket; undefined when there are none. */
export async function readFleetMean(
  db: Db,
  span: number,
  from: number,
): Promise<FleetRollupTable | undefined> {
  const row = await db
    .selectFrom("fleet_rollups")
    .select((e) => [
      e.fn.countAll<number>().as("minutes"),
      e.fn.avg<number>("total_nodes").as("total_nodes"),
      e.fn.avg<number>("online_nodes").as("online_nodes"),
      e.fn.avg<number>("bandwidth").as("bandwidth"),
      e.fn.avg<number>("connections").as("connections"),
      e.fn.sum<number>("traffic").as("traffic"),
    ])
    .where("span", "=", MINUTES)
    .where("at", ">=", from)
    .executeTakeFirstOrThrow();
  const { minutes, ...means } = row;
  return minutes === 0 ? undefined : { span, at: from, ...means };
}

const MINUTES = 60;
