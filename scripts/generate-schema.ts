import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseTarget } from "../src/server/config.ts";
import { openDatabase } from "../src/server/database/database.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import { createLogger } from "../src/server/lib/logger.ts";
import { PostgresServer } from "../test/support/postgres-server.ts";
import { describePostgres, describeSqlite } from "./schema-snapshot.ts";

const HEADER = "-- What all migrations together make. Written by `npm run generate`.\n\n";

/** Applies all migrations to the empty database and writes what they made. */
async function snapshot(target: DatabaseTarget): Promise<void> {
  const database = await openDatabase(target, systemClock, createLogger("warn"));
  try {
    const describe = target.dialect === "sqlite" ? describeSqlite : describePostgres;
    const file = `src/server/database/schema.${target.dialect}.sql`;
    await writeFile(file, HEADER + (await describe(database.db)));
  } finally {
    await database.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), "waypost-schema-"));
const server = await PostgresServer.create();
try {
  await snapshot({ dialect: "sqlite", file: join(folder, "waypost.db") });
  await snapshot({ dialect: "postgres", url: server.url() });
} finally {
  await server.destroy();
  await rm(folder, { recursive: true });
}
