import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { Config } from "../../src/server/config.ts";

/** All that a service has stored, as text to search in. */
export async function storedText({ dataDir, database }: Config): Promise<string> {
  const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), "latin1"));
  const rows = database.dialect === "postgres" ? await allRows(database.url) : [];
  return [...files, ...rows].join("\n");
}

async function allRows(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ tablename: string }>(
      "select tablename from pg_tables where schemaname = 'public'",
    );
    const texts: string[] = [];
    for (const { tablename } of tables) {
      const { rows } = await client.query(`select * from ${tablename}`);
      texts.push(JSON.stringify(rows));
    }
    return texts;
  } finally {
    await client.end();
  }
}
