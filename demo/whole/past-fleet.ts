import { sql, type Kysely } from "kysely";
import type { Schema } from "../../src/server/database/schema.ts";
import type { CreatedNode } from "../registry-client.ts";
import { momentOf } from "./ebb.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const ROWS_AT_ONCE = 20_000;

/** The history that charts show, as retention leaves it. Each value stands for its whole stretch. */
const spans = [
  { span: 60, ms: MINUTE_MS, keptMs: DAY_MS },
  { span: 3_600, ms: HOUR_MS, keptMs: 30 * DAY_MS },
  { span: 86_400, ms: DAY_MS, keptMs: 365 * DAY_MS },
] as const;

type NodeRow = [number, number, number, number, number, number, number];

/** Writes what the nodes have done until `now`. */
export async function writeFleetPast(
  db: Kysely<Schema>,
  nodes: readonly CreatedNode[],
  now: number,
): Promise<void> {
  let rows: NodeRow[] = [];
  const flush = async () => {
    const written = rows;
    rows = [];
    await sql`insert into node_rollups (span, at, node_id, up_ms, bandwidth, connections, traffic)
      select value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6
      from json_each(${JSON.stringify(written)})`.execute(db);
  };
  for (const { span, ms, keptMs } of spans) {
    const end = Math.floor(now / ms) * ms;
    for (let at = end - keptMs; at < end; at += ms) {
      const fleet = { online: 0, bandwidth: 0, connections: 0, traffic: 0 };
      nodes.forEach((node, index) => {
        const row = toRow(node, index, { span, ms, at, now });
        rows.push(row);
        const [, , , upMs, bandwidth, connections, traffic] = row;
        fleet.online += upMs / ms;
        fleet.bandwidth += (bandwidth * upMs) / ms;
        fleet.connections += (connections * upMs) / ms;
        fleet.traffic += traffic;
      });
      await db
        .insertInto("fleet_rollups")
        .values({
          span,
          at,
          total_nodes: nodes.length,
          online_nodes: fleet.online,
          bandwidth: fleet.bandwidth,
          connections: fleet.connections,
          traffic: fleet.traffic,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      if (rows.length >= ROWS_AT_ONCE) await flush();
    }
  }
  if (rows.length > 0) await flush();
}

interface Stretch {
  span: number;
  ms: number;
  at: number;
  now: number;
}

/** Sampled four times, so that an outage of an hour shows in a day. */
function toRow({ plan, id }: CreatedNode, index: number, { span, ms, at, now }: Stretch): NodeRow {
  const samples = ms > MINUTE_MS ? 4 : 1;
  const sum = { up: 0, bandwidth: 0, connections: 0 };
  for (let sample = 0; sample < samples; sample++) {
    const moment = momentOf(plan, index, at + (sample * ms) / samples, now);
    if (!moment.isUp) continue;
    sum.up++;
    sum.bandwidth += moment.bandwidth;
    sum.connections += moment.connections;
  }
  const upMs = (sum.up / samples) * ms;
  const bandwidth = sum.up === 0 ? 0 : sum.bandwidth / sum.up;
  const connections = sum.up === 0 ? 0 : sum.connections / sum.up;
  return [span, at, id, upMs, bandwidth, connections, (bandwidth * upMs) / 8e6];
}
