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

/** Starts the one PostgreSQL of the run. Without it the run fails: nothing is skipped. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.create();
  try {
    await makeTemplate(server);
  } catch (error) {
    await server.destroy();
    throw error;
  }
  project.provide("postgresUrl", server.url());
  return () => server.destroy();
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
