import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import type { DatabaseTarget } from "../../src/server/config.ts";
import { openDatabase } from "../../src/server/database/database.ts";
import { systemClock } from "../../src/server/lib/clock.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { TEMPLATE } from "./postgres.ts";
import { PostgresServer } from "./postgres-server.ts";

/** Where the service itself keeps compiled modules. */
const COMPILE_CACHE = join(import.meta.dirname, "../../node_modules/.cache/waypost");

/** Databases of tests live for seconds; what keeps them healthy for years only takes their time. */
const POSTGRES_SETTINGS = {
  autovacuum: "off",
  full_page_writes: "off",
  max_wal_size: "2GB",
  checkpoint_timeout: "1h",
};

declare module "vitest" {
  export interface ProvidedContext {
    /** The maintenance database of the run's PostgreSQL. */
    postgresUrl: string;
    /** A file with every migration applied, to be copied. */
    sqliteTemplate: string;
  }
}

/**
 * Gives the run a temporary folder of its own, which takes with it whatever a failed test leaves,
 * and starts the one PostgreSQL of the run. Without that the run fails: nothing is skipped.
 * Processes and threads that tests start share what was compiled: half of their time went there.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-run-"));
  // The user that PostgreSQL runs as must get through.
  await chmod(folder, 0o755);
  const outside = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  process.env["NODE_COMPILE_CACHE"] ??= COMPILE_CACHE;
  const clean = async () => {
    if (outside === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = outside;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = await PostgresServer.create({ settings: POSTGRES_SETTINGS });
    try {
      await makePostgresTemplate(server);
      project.provide("sqliteTemplate", await makeSqliteTemplate(folder));
    } catch (error) {
      await server.destroy();
      throw error;
    }
    project.provide("postgresUrl", server.url());
    return async () => {
      await server.destroy();
      await clean();
    };
  } catch (error) {
    await clean();
    throw error;
  }
}

async function makePostgresTemplate(server: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  try {
    await client.query(`create database ${TEMPLATE}`);
  } finally {
    await client.end();
  }
  await migrateOnce({ dialect: "postgres", url: server.url(TEMPLATE) });
}

async function makeSqliteTemplate(folder: string): Promise<string> {
  const file = join(folder, "template.db");
  await migrateOnce({ dialect: "sqlite", file });
  return file;
}

async function migrateOnce(target: DatabaseTarget): Promise<void> {
  const database = await openDatabase(target, systemClock, createLogger("warn"));
  await database.close();
}
