import { stat, statfs } from "node:fs/promises";
import { sql } from "kysely";
import { Gauge, type Metric } from "prom-client";
import type { Logger } from "../lib/logger.ts";
import { gaugeOf } from "../lib/metric.ts";
import type { Database } from "./database.ts";

/** Numbers about the storage. */
export function databaseMetrics(database: Database, dataDir: string, logger: Logger): Metric[] {
  const read = (name: string, help: string, find: () => Promise<number>): Gauge =>
    new Gauge({
      name,
      help,
      registers: [],
      /** Stays as it was while the storage does not answer. */
      async collect() {
        try {
          this.set(await find());
        } catch (error) {
          logger.debug({ err: error, metric: name }, "a number about the storage is unknown");
        }
      },
    });
  return [
    database.queries.durations,
    gaugeOf("waypost_database_waiting", "Statements that wait for a connection or an answer.", () =>
      countWaiting(database),
    ),
    read("waypost_database_size_bytes", "Size of the database.", () => sizeOf(database)),
    read(
      "waypost_data_dir_free_bytes",
      "Space that is left for the service on the disk of the data folder.",
      async () => {
        const { bavail, bsize } = await statfs(dataDir);
        return bavail * bsize;
      },
    ),
  ];
}

function countWaiting(database: Database): number {
  return database.kind === "sqlite" ? database.thread.waiting : database.pool.waitingCount;
}

/** The SQLite file with its write-ahead log. */
async function sizeOf(database: Database): Promise<number> {
  if (database.kind === "postgres") {
    const { rows } = await sql<{ size: number }>`
      select pg_database_size(current_database()) as size`.execute(database.db);
    return rows[0]?.size ?? 0;
  }
  const { file } = database;
  const sizes = await Promise.all(
    [file, `${file}-wal`].map(async (each) => (await stat(each)).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
