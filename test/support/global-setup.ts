import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../src/server/database/database.ts";
import { systemClock } from "../../src/server/lib/clock.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { TEMPLATE } from "./postgres.ts";
import { PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The maintenance database of the run's PostgreSQL. */
    postgresUrl: string;
  }
}

/**
 * Gives the run a temporary folder of its own, which takes with it whatever a failed test leaves,
 * and starts the one PostgreSQL of the run. Without that the run fails: nothing is skipped.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-run-"));
  // The user that PostgreSQL runs as must get through.
  await chmod(folder, 0o755);
  const outside = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  const clean = async () => {
    if (outside === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = outside;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = await PostgresServer.create();
    try {
      await makeTemplate(server);
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

async function makeTemplate(server: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  try {
    await client.query(`create database ${TEMPLATE}`);
  } finally {
    await client.end();
  }
  const url = server.url(TEMPLATE);
  const database = await openDatabase(
    { dialect: "postgres", url },
    systemClock,
    createLogger("warn"),
  );
  await database.close();
}
