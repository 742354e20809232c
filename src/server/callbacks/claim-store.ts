import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { EventWord, Mapping } from "./change.ts";
import { toRun, type RunRecord } from "./run-record.ts";
import type { FinishedStatus } from "./run.ts";

/** With the confirmed mapping of its rule. */
export interface DueRun {
  run: RunRecord;
  newest: Mapping | null;
}

/**
 * The runs that may be taken up now, longest due first, none of a task of which another is running.
 * They are nobody else's until the transaction ends.
 */
export async function lockDueRuns(
  transaction: Db,
  dialect: Dialect,
  now: number,
  limit: number,
): Promise<DueRun[]> {
  const query = transaction
    .selectFrom("callback_runs as r")
    .selectAll("r")
    .select((e) => {
      const mapping = e.selectFrom("stun_mappings as m").whereRef("m.rule_id", "=", "r.rule_id");
      return [
        mapping.select("m.public_ip").as("newest_ip"),
        mapping.select("m.public_port").as("newest_port"),
      ];
    })
    .where("r.due_at", "<=", now)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("callback_runs as other")
            .select("other.id")
            .whereRef("other.task_id", "=", "r.task_id")
            .whereRef("other.id", "<>", "r.id")
            .where("other.status", "=", sql.lit("running")),
        ),
      ),
    )
    .orderBy("r.due_at")
    .orderBy("r.id")
    .limit(limit);
  const rows = await dialect.lockFreeRows(query).execute();
  return rows.map(({ newest_ip: publicIp, newest_port: publicPort, ...row }) => ({
    run: toRun(row),
    newest: publicIp === null || publicPort === null ? null : { publicIp, publicPort },
  }));
}

/** The newest unfinished run of each task that was started by a change. */
export async function newestRuns(db: Db, taskIds: readonly number[]): Promise<Map<number, number>> {
  if (taskIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("callback_runs")
    .select(["task_id", sql<number>`max(id)`.as("newest")])
    .where("task_id", "in", taskIds)
    .where("due_at", "is not", null)
    .where("trigger", "<>", "manual")
    .groupBy("task_id")
    .execute();
  return new Map(rows.map((row) => [row.task_id, row.newest]));
}

/** Whose the runs are from now on, and for how long. */
export interface Lease {
  owner: string;
  now: number;
  until: number;
}

/** Counts the try that begins. */
export async function leaseRuns(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
  lease: Lease,
): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({
      status: "running",
      attempt_count: sql`attempt_count + 1`,
      lease_owner: lease.owner,
      due_at: lease.until,
      started_at: sql`coalesce(started_at, cast(${lease.now} as bigint))`,
    })
    .where("id", "in", idsOf(dialect, ids))
    .execute();
}

export async function updateMapping(
  db: Db,
  id: number,
  { publicIp, publicPort }: Mapping,
  event: EventWord,
): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({ public_ip: publicIp, public_port: publicPort, event })
    .where("id", "=", id)
    .execute();
}

/** Ends runs that nobody runs any more. */
export async function endAbandoned(
  db: Db,
  ids: readonly number[],
  end: { status: FinishedStatus; error: string; at: number },
): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({
      status: end.status,
      error: end.error,
      finished_at: end.at,
      due_at: null,
      lease_owner: null,
    })
    .where("id", "in", ids)
    .execute();
}

/** When the next run is due that is not due yet; undefined when none is. */
export async function nextDueAfter(db: Db, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("callback_runs")
    .select("due_at")
    .where("due_at", ">", now)
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? undefined;
}

/** Moves the end of the leases. @returns the runs that are still the owner's */
export async function renewLeases(
  db: Db,
  ids: readonly number[],
  lease: Omit<Lease, "now">,
): Promise<{ id: number; cancelRequested: boolean }[]> {
  const rows = await db
    .updateTable("callback_runs")
    .set({ due_at: lease.until })
    .where("id", "in", ids)
    .where("lease_owner", "=", lease.owner)
    .where("status", "=", sql.lit("running"))
    .returning(["id", "cancel_requested"])
    .execute();
  return rows.map((row) => ({ id: row.id, cancelRequested: row.cancel_requested === 1 }));
}

/** Ends the leases whose owner begins with `prefix`. */
export async function endLeases(db: Db, prefix: string, now: number): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({ due_at: now })
    .where("status", "=", sql.lit("running"))
    .where(sql<string>`substr(lease_owner, 1, cast(${prefix.length} as integer))`, "=", prefix)
    .execute();
}

function idsOf(dialect: Dialect, ids: readonly number[]) {
  const table = dialect.tableOf(
    { id: "integer" },
    ids.map((id) => ({ id })),
  );
  return sql<number>`(select id from ${table} as wanted)`;
}

interface LastRuns {
  id: number;
  succeeded: number | null;
  skipped: number | null;
  oldest: number | null;
}

/**
 * What the target of each task holds, as far as is known: the mapping of its last run that went
 * well, else the one before its oldest run.
 */
export async function readHeldMappings(
  db: Db,
  taskIds: readonly number[],
): Promise<Map<number, Mapping>> {
  if (taskIds.length === 0) return new Map();
  const last = await db
    .selectFrom("callback_tasks as t")
    .select("t.id")
    .select((e) => {
      const ofTask = e.selectFrom("callback_runs as r").whereRef("r.task_id", "=", "t.id");
      const newest = ofTask.select(sql<number | null>`max(r.id)`.as("id"));
      return [
        newest.where("r.status", "=", "succeeded").where("r.due_at", "is", null).as("succeeded"),
        newest.where("r.status", "=", "skipped").where("r.due_at", "is", null).as("skipped"),
        ofTask.select(sql<number | null>`min(r.id)`.as("id")).as("oldest"),
      ];
    })
    .where("t.id", "in", taskIds)
    .execute();
  return readMappingsIn(db, last);
}

async function readMappingsIn(db: Db, last: readonly LastRuns[]): Promise<Map<number, Mapping>> {
  const telling = last.map(({ id, succeeded, skipped, oldest }) => {
    const well = Math.max(succeeded ?? 0, skipped ?? 0);
    return { id, run: well || oldest, wentWell: well > 0 };
  });
  const ids = telling.flatMap(({ run }) => run ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("callback_runs")
    .select(["id", "public_ip", "public_port", "previous_ip", "previous_port"])
    .where("id", "in", ids)
    .execute();
  const runs = new Map(rows.map((row) => [row.id, row]));
  const held = new Map<number, Mapping>();
  for (const { id, run, wentWell } of telling) {
    const row = runs.get(run ?? 0);
    if (!row) continue;
    const { previous_ip: ip, previous_port: port } = row;
    if (wentWell) held.set(id, { publicIp: row.public_ip, publicPort: row.public_port });
    else if (ip !== null && port !== null) held.set(id, { publicIp: ip, publicPort: port });
  }
  return held;
}
