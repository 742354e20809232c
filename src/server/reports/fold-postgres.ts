import type pg from "pg";
import { foldReport, type LiveNode } from "./fold.ts";
import type { HistoryBucket } from "./history.ts";
import { toLive, type LiveRow } from "./live-row.ts";
import { RECEIPT_LIFE_MS } from "./receipts.ts";
import { decodeBatch, type Receipt, type ReportRecord } from "./record.ts";

/**
 * One transaction holds the rows of few enough nodes that whoever changes one waits seconds at most,
 * and of many enough that a node's reports are mostly folded together.
 */
const NODES_PER_FOLD = 10_000;
const BATCHES_PER_FOLD = 2_000;
const BATCHES_PER_STATEMENT = 100;
/** Rows written by one statement: commits of reports wait while it is flushed. */
const ROWS_PER_STATEMENT = 250;
/** For at least so long, and for twice as long at most, other instances find what was folded. */
const JOURNAL_KEPT_MS = 30_000;
export const FOLD_LOCK = 7_791_002;

/** What a fold needs of a connection. */
export type Statements = Pick<pg.ClientBase, "query">;

/**
 * Folds the oldest journal rows of all instances in one transaction, one process at a time. When
 * it fails the transaction is left open: the caller ends the connection.
 * @returns whether there may be more
 */
export async function foldOnce(client: Statements): Promise<boolean> {
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock($1)", [FOLD_LOCK]);
  const more = await foldBatches(client);
  await client.query("commit");
  return more;
}

async function foldBatches(client: Statements): Promise<boolean> {
  const { batches, records, more } = await takeBatches(client, await readPositions(client));
  if (records.length > 0) {
    const counted = await withoutRepeated(client, records);
    await foldRecords(client, counted);
    await writeReceipts(client, counted);
  }
  if (batches.length > 0) await writePositions(client, batches);
  await dropFolded(client);
  await forgetJournals(client);
  return more;
}

interface JournalRow {
  instance: string;
  seq: number;
  batch: Buffer;
}

interface Taken {
  batches: JournalRow[];
  /** Of those batches, oldest first. */
  records: ReportRecord[];
  /** Whether there may be more in the journal. */
  more: boolean;
}

/** Up to where each journal is folded; a journal begins at 0. */
async function readPositions(client: Statements): Promise<Map<string, number>> {
  const { rows } = await client.query<{ instance: string; seq: number }>(
    `with recursive journals as (
       select min(instance) as instance from report_journal
       union all
       select (select min(instance) from report_journal where instance > journals.instance)
         from journals where journals.instance is not null)
     select j.instance, coalesce(p.folded_seq, 0) as seq
       from journals j left join report_positions p on p.instance = j.instance
       where j.instance is not null`,
  );
  return new Map(rows.map((row) => [row.instance, row.seq]));
}

/** The oldest rows of each journal that are not folded yet. */
async function takeBatches(client: Statements, positions: Map<string, number>): Promise<Taken> {
  const batches: JournalRow[] = [];
  const records: ReportRecord[] = [];
  const nodes = new Set<number>();
  const isFull = () => batches.length >= BATCHES_PER_FOLD || nodes.size >= NODES_PER_FOLD;
  for (const [instance, folded] of positions) {
    let from = folded;
    let more = true;
    while (more && !isFull()) {
      const { rows } = await client.query<JournalRow>(
        `select instance, seq, batch from report_journal
           where instance = $1 and seq > $2 order by seq limit $3`,
        [instance, from, BATCHES_PER_STATEMENT],
      );
      more = rows.length === BATCHES_PER_STATEMENT;
      for (const row of rows) {
        from = row.seq;
        // An empty row only claims its key: alone, it moves nothing.
        if (row.batch.length === 0) continue;
        batches.push(row);
        for (const record of decodeBatch(row.batch)) {
          records.push(record);
          nodes.add(record.nodeId);
        }
      }
    }
  }
  return { batches, records: records.sort((a, b) => a.at - b.at), more: isFull() };
}

async function writePositions(client: Statements, batches: readonly JournalRow[]): Promise<void> {
  const positions = new Map(batches.map((each) => [each.instance, each.seq]));
  await client.query(
    `insert into report_positions (instance, folded_seq)
       select * from unnest($1::text[], $2::bigint[])
       on conflict (instance) do update set folded_seq = excluded.folded_seq`,
    [[...positions.keys()], [...positions.values()]],
  );
}

/**
 * Takes out of the journals what is folded: at once while one process has the database to itself,
 * else once the others have had time to read it.
 */
async function dropFolded(client: Statements): Promise<void> {
  const now = "cast(extract(epoch from clock_timestamp()) * 1000 as bigint)";
  const { rows } = await client.query<{ instance: string; from: number; to: number }>(
    `with alone as (select count(*) < 2 as yes from instances where beat_at > ${now} - $1),
       due as (select p.*, case when alone.yes then folded_seq else marked_seq end as drop_seq
         from report_positions p, alone
         where folded_seq > dropped_seq and (alone.yes or marked_at <= ${now} - $1))
     update report_positions p set dropped_seq = greatest(p.dropped_seq, due.drop_seq),
         marked_seq = p.folded_seq, marked_at = ${now}
       from due where p.instance = due.instance
       returning p.instance, due.dropped_seq as from, p.dropped_seq as to`,
    [JOURNAL_KEPT_MS],
  );
  for (const { instance, from, to } of rows) {
    for (let seq = from; seq < to; seq += BATCHES_PER_STATEMENT) {
      await client.query(
        "delete from report_journal where instance = $1 and seq > $2 and seq <= $3",
        [instance, seq, Math.min(seq + BATCHES_PER_STATEMENT, to)],
      );
    }
  }
}

/** Of instances that are forgotten: who has such a name later begins a new journal. */
async function forgetJournals(client: Statements): Promise<void> {
  await client.query(
    `delete from report_positions p where dropped_seq >= folded_seq
       and not exists (select from instances i where i.name = p.instance)
       and not exists (select from report_journal j where j.instance = p.instance)`,
  );
}

/** Two instances may have accepted the same report; the first that is folded counts. */
async function withoutRepeated(
  client: Statements,
  records: ReportRecord[],
): Promise<ReportRecord[]> {
  const named = records.filter((record) => record.receipt !== null);
  if (named.length === 0) return records;
  const { rows } = await client.query<{ node_id: number; report_id: string; at: number }>(
    `select node_id, report_id, at from report_receipts where (node_id, report_id) in
       (select * from unnest($1::bigint[], $2::text[]))`,
    [named.map((each) => each.nodeId), named.map((each) => each.receipt?.reportId)],
  );
  const seen = new Map(rows.map((row) => [`${row.node_id} ${row.report_id}`, row.at]));
  return records.filter((record) => {
    if (record.receipt === null) return true;
    const key = `${record.nodeId} ${record.receipt.reportId}`;
    const before = seen.get(key);
    if (before !== undefined && record.at - before <= RECEIPT_LIFE_MS) return false;
    seen.set(key, record.at);
    return true;
  });
}

async function foldRecords(client: Statements, records: ReportRecord[]): Promise<void> {
  const byNode = Map.groupBy(records, (record) => record.nodeId);
  // In one order, so that no two transactions wait for each other's rows.
  for (const ids of chunks([...byNode.keys()].sort((a, b) => a - b))) {
    const { rows } = await client.query<LiveRow>({
      name: "fold-read",
      text: "select * from node_live where node_id = any($1::bigint[]) order by node_id for update",
      values: [ids],
    });
    const nodes = rows.map(toLive);
    for (const live of nodes) {
      for (const record of byNode.get(live.nodeId) ?? []) foldReport(live, record);
    }
    await writeLive(client, nodes);
    const ended = nodes.flatMap((node) =>
      node.ended.map((bucket) => ({ ...bucket, nodeId: node.nodeId })),
    );
    for (const some of chunks(ended)) await writeRollups(client, some);
  }
}

function* chunks<T>(items: T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += ROWS_PER_STATEMENT) {
    yield items.slice(at, at + ROWS_PER_STATEMENT);
  }
}

async function writeLive(client: Statements, nodes: LiveNode[]): Promise<void> {
  const column = <T>(read: (node: LiveNode) => T): T[] => nodes.map(read);
  await client.query({
    name: "fold-live",
    text: `update node_live as l set reported_at = v.reported_at, bandwidth = v.bandwidth,
        connections = v.connections, status = v.status, used = v.used, used_rest = v.used_rest,
        period_start = v.period_start, tier_bandwidth = v.tier_bandwidth, tier_at = v.tier_at,
        interval_ms = v.interval_ms, version = v.version, open_history = v.open_history, silent = 0
      from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::bigint[], $5::text[], $6::float8[],
        $7::float8[], $8::bigint[], $9::float8[], $10::bigint[], $11::bigint[], $12::text[],
        $13::bytea[]) as v(node_id, reported_at, bandwidth, connections, status, used, used_rest,
        period_start, tier_bandwidth, tier_at, interval_ms, version, open_history)
      where l.node_id = v.node_id`,
    values: [
      column((node) => node.nodeId),
      column((node) => node.reportedAt),
      column((node) => node.bandwidth),
      column((node) => node.connections),
      column((node) => node.status),
      column((node) => node.used),
      column((node) => node.usedRest),
      column((node) => node.periodStart),
      column((node) => node.tierBandwidth),
      column((node) => node.tierAt),
      column((node) => node.intervalMs),
      column((node) => node.version),
      column((node) => Buffer.from(node.history.toBytes())),
    ],
  });
}

type NodeBucket = HistoryBucket & { nodeId: number };

async function writeRollups(client: Statements, rows: NodeBucket[]): Promise<void> {
  const column = <T>(read: (row: NodeBucket) => T): T[] => rows.map(read);
  await client.query({
    name: "fold-rollups",
    text: `insert into node_rollups (span, at, node_id, up_ms, bandwidth, connections, traffic)
      select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::float8[],
        $6::float8[], $7::float8[])
      on conflict do nothing`,
    values: [
      column((row) => row.span),
      column((row) => row.at),
      column((row) => row.nodeId),
      column((row) => row.upMs),
      column((row) => row.bandwidth),
      column((row) => row.connections),
      column((row) => row.traffic),
    ],
  });
}

type NodeReceipt = Receipt & { nodeId: number; at: number };

async function writeReceipts(client: Statements, records: ReportRecord[]): Promise<void> {
  const rows = records.flatMap(({ nodeId, at, receipt }): NodeReceipt[] =>
    receipt ? [{ nodeId, at, ...receipt }] : [],
  );
  for (const some of chunks(rows)) await writeReceiptRows(client, some);
}

async function writeReceiptRows(client: Statements, rows: NodeReceipt[]): Promise<void> {
  await client.query({
    name: "fold-receipts",
    text: `insert into report_receipts
        (node_id, report_id, at, used_traffic, max_traffic, reset_at)
      select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::float8[], $5::float8[],
        $6::bigint[])
      on conflict (node_id, report_id) do update set at = excluded.at,
        used_traffic = excluded.used_traffic, max_traffic = excluded.max_traffic,
        reset_at = excluded.reset_at`,
    values: [
      rows.map((row) => row.nodeId),
      rows.map((row) => row.reportId),
      rows.map((row) => row.at),
      rows.map((row) => row.usedTraffic),
      rows.map((row) => row.maxTraffic),
      rows.map((row) => row.resetAt),
    ],
  });
}
