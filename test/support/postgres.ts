import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** Has every migration applied and nobody connected, so that it can be copied. */
export const TEMPLATE = "waypost_template";

/**
 * A new PostgreSQL database with every migration applied, on the server of this test run.
 * @returns its URL
 */
export async function newPostgresDatabase(): Promise<string> {
  return copyDatabase(TEMPLATE);
}

/**
 * A new PostgreSQL database without any table.
 * @returns its URL
 */
export async function newEmptyPostgresDatabase(): Promise<string> {
  return copyDatabase("template1");
}

async function copyDatabase(template: string): Promise<string> {
  const server = inject("postgresUrl");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    // Files are copied; the other way writes them all to the write-ahead log, at five times the cost.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
