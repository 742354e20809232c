import { pino } from "pino";
import type { DatabaseTarget } from "../src/server/config.ts";
import { openDatabase, type Db } from "../src/server/database/database.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import { hashToken } from "../src/server/lib/tokens.ts";
import { firstPeriod } from "../src/server/nodes/period.ts";
import { insertOwner } from "../test/support/stored-owner.ts";

export const OWNER = "bench@example.org";
const TOKENS = 1_024;
const ROWS_AT_ONCE = 500;

const tokens = Array.from({ length: TOKENS }, (_, n) => `wpt_${String(n).padStart(43, "0")}`);

export function tokenOf(node: number): string {
  return tokens[node % TOKENS] as string;
}

/** Fills an empty storage with nodes whose last report said `online`. */
export async function seed(target: DatabaseTarget, nodes: number): Promise<void> {
  const database = await openDatabase(target, systemClock, pino({ level: "silent" }));
  try {
    await seedNodes(database.db, nodes);
  } finally {
    await database.close();
  }
}

async function seedNodes(db: Db, nodes: number): Promise<void> {
  const now = Date.now();
  const ownerId = await insertOwner(db, OWNER, now);
  const period = firstPeriod(now, 30);
  const hashes = tokens.map((token) => hashToken(token).toString("hex"));
  for (let first = 1; first <= nodes; first += ROWS_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(ROWS_AT_ONCE, nodes - first + 1) },
      (_, index) => first + index,
    );
    await db.transaction().execute(async (transaction) => {
      const made = await transaction
        .insertInto("nodes")
        .values(
          numbers.map((number) => ({
            owner_id: ownerId,
            node_name: `node-${number}`,
            region_type: number % 3 === 0 ? "overseas" : "domestic",
            region_detail: `Region ${number % 40}`,
            connections: JSON.stringify([
              { type: "TCP", ip: `198.51.100.${number % 250}`, port: 11_010 },
              { type: "WSS", ip: `node-${number}.example.org`, port: 443 },
            ]),
            tier_bandwidth: 100 + (number % 900),
            tier_since: now,
            max_bandwidth: 1_000,
            max_traffic: number % 4 === 0 ? 0 : 2_000,
            reset_cycle: 30,
            max_connections: 50 + (number % 200),
            tags: number % 5 === 0 ? "game,relay" : "",
            valid_until: null,
            allow_relay: number % 2,
            enabled: 1,
            token_hash: hashes[number % TOKENS] as string,
            previous_token_hash: null,
            previous_token_until: null,
            period_start: period.start,
            period_end: period.end,
            created_at: now,
          })),
        )
        .returning("id")
        .execute();
      await transaction
        .insertInto("node_live")
        .values(
          made.map(({ id }) => ({
            node_id: id,
            reported_at: now,
            bandwidth: id % 90,
            connections: id % 40,
            status: "online",
            used: (id % 500) + 0.25,
            used_rest: 0,
            period_start: period.start,
            tier_bandwidth: null,
            tier_at: 0,
            interval_ms: 60_000,
            version: "",
            journal_seq: 0,
            open_history: null,
            silent: 0,
          })),
        )
        .execute();
    });
  }
}

/** Reports of many nodes, each a little different. */
export function reportBodies(nodes: number, count: number, withIds = false): string[] {
  return Array.from({ length: count }, (_, index) => {
    const node = 1 + Math.floor((index * nodes) / count);
    return JSON.stringify({
      node_name: `node-${node}`,
      email: OWNER,
      token: tokenOf(node),
      current_bandwidth: 10 + (index % 80) + 0.5,
      reported_traffic: 0.001 * (index % 100),
      connection_count: index % 40,
      status: "online",
      ...(withIds ? { report_id: `id-${index}` } : {}),
    });
  });
}
