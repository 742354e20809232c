import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import pg from "pg";
import { newEmptyPostgresDatabase, newPostgresDatabase } from "../support/postgres.ts";
import { PostgresServer } from "../support/postgres-server.ts";

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe("the PostgreSQL of a test run", () => {
  test("gives every test a database of its own with the schema in it", async () => {
    const [one, other] = await Promise.all([newPostgresDatabase(), newPostgresDatabase()]);
    await query(one, "insert into settings values ('a', 'b')");
    expect(await query(one, "select * from settings")).toEqual([{ key: "a", value: "b" }]);
    expect(await query(other, "select * from settings")).toEqual([]);
  });

  test("gives databases without tables", async () => {
    const url = await newEmptyPostgresDatabase();
    expect(await query(url, "select from pg_tables where schemaname = 'public'")).toEqual([]);
  });

  test("sorts text by language, as most real servers do", async () => {
    const url = await newEmptyPostgresDatabase();
    const rows = await query(url, "select * from (values ('b'), ('B'), ('a')) v(x) order by x");
    expect(rows).toEqual([{ x: "a" }, { x: "b" }, { x: "B" }]);
  });
});

describe("a PostgreSQL of one test", () => {
  let server: PostgresServer;

  beforeEach(async () => {
    server = await PostgresServer.create({ settings: { max_connections: "20" } });
  });
  afterEach(() => server.destroy());

  test.for(["SIGINT", "SIGQUIT"] as const)("keeps its data over an end by %s", async (signal) => {
    await query(server.url(), "create table kept as select 1 as value");
    await server.stop(signal);
    await expect(query(server.url(), "select 1")).rejects.toThrow("ECONNREFUSED");
    await server.start();
    expect(await query(server.url(), "select value from kept")).toEqual([{ value: 1 }]);
  });

  test("takes settings", async () => {
    expect(await query(server.url(), "show max_connections")).toEqual([{ max_connections: "20" }]);
  });

  test("says why it does not start", async () => {
    const refused = PostgresServer.create({ settings: { no_such_setting: "1" } });
    await expect(refused).rejects.toThrow(/did not start:[^]*no_such_setting/);
  });
});

test("a PostgreSQL ends with the process that started it, however that ends", async () => {
  const module = new URL("../support/postgres-server.ts", import.meta.url);
  const program = `import { PostgresServer } from ${JSON.stringify(module.href)};
    const server = await PostgresServer.create();
    console.log(JSON.stringify({ url: server.url(), folder: server.folder }));`;
  const owner = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(owner.stdout, "data")) as [Buffer];
  const { url, folder } = JSON.parse(line.toString()) as { url: string; folder: string };
  expect(existsSync(folder)).toBe(true);

  owner.kill("SIGKILL");

  await expect.poll(() => existsSync(folder), { timeout: 10_000 }).toBe(false);
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const [refused] = (await once(socket, "error")) as [NodeJS.ErrnoException];
  expect(refused.code).toBe("ECONNREFUSED");
});
