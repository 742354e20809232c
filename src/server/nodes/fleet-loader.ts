import type { Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Fleet } from "./fleet.ts";
import type { LiveState, NodeRecord } from "./node.ts";
import { toRecord } from "./rows.ts";

/** Rows read at once: enough to spare round trips, few enough to be garbage quickly. */
const PAGE_ROWS = 500;
/** Room for nodes that are created later, as a share of those that exist. */
const SPARE = 0.1;

/** Fills a fleet with every node in the storage; what it holds beside them is taken out. */
export async function loadFleet(db: Db, fleet: Fleet, clock: Clock): Promise<void> {
  const { count } = await db
    .selectFrom("nodes")
    .select((e) => e.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  fleet.reserve(Math.max(0, Math.ceil(count * (1 + SPARE)) - fleet.size));

  const texts = new SharedTexts();
  const before = fleet.size === 0 ? undefined : new Set(fleet.slotsById());
  let page = await readPage(db, 0);
  while (page.length > 0) {
    const last = page.at(-1)?.id ?? 0;
    // The storage reads the next page while this one is taken in.
    const next = page.length < PAGE_ROWS ? Promise.resolve([]) : readPage(db, last);
    const now = clock.now();
    for (const row of page) {
      const slot = fleet.put(texts.share(toRecord(row)), now, toLive(row, texts));
      before?.delete(slot);
    }
    page = await next;
  }
  for (const slot of before ?? []) fleet.remove(fleet.columns.id[slot] as number);
  fleet.expire(clock.now());
}

type LoadedRow = Awaited<ReturnType<typeof readPage>>[number];

function readPage(db: Db, afterId: number) {
  return db
    .selectFrom("nodes")
    .innerJoin("users", "users.id", "nodes.owner_id")
    .innerJoin("node_live", "node_live.node_id", "nodes.id")
    .selectAll("nodes")
    .select("users.email_key")
    .select([
      "node_live.reported_at",
      "node_live.bandwidth",
      "node_live.connections as live_connections",
      "node_live.status",
      "node_live.used",
      "node_live.used_rest",
      "node_live.period_start as live_period_start",
      "node_live.tier_bandwidth as live_tier_bandwidth",
      "node_live.tier_at",
      "node_live.interval_ms",
      "node_live.version",
      "node_live.silent",
    ])
    .where("nodes.id", ">", afterId)
    .orderBy("nodes.id")
    .limit(PAGE_ROWS)
    .execute();
}

function toLive(row: LoadedRow, texts: SharedTexts): LiveState {
  return {
    reportedAt: row.reported_at,
    bandwidth: row.bandwidth,
    connections: row.live_connections,
    status: texts.one(row.status),
    used: row.used,
    usedRest: row.used_rest,
    periodStart: row.live_period_start,
    tierBandwidth: row.live_tier_bandwidth,
    tierAt: row.tier_at,
    intervalMs: row.interval_ms,
    version: texts.one(row.version),
    silent: row.silent === 1,
  };
}

/** Most words of a fleet are on many nodes: one copy of each is kept. */
class SharedTexts {
  readonly #known = new Map<string, string>();

  one(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, text);
    return text;
  }

  share(record: NodeRecord): NodeRecord {
    record.regionDetail = this.one(record.regionDetail);
    record.tags = this.one(record.tags);
    return record;
  }
}
