import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { FaultStage } from "../support/fault-stage.ts";
import { freeze } from "../support/fault-freeze.ts";
import { nodeBody } from "../support/nodes.ts";
import { PostgresServer } from "../support/postgres-server.ts";

let server: PostgresServer;
let stage: FaultStage;

beforeAll(async () => {
  server = await PostgresServer.create({ fsync: true });
});
afterAll(() => server.destroy());
afterEach(() => stage.clear());

async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** @returns the URL of a database without tables */
async function newDatabase(name: string): Promise<string> {
  await administer(`create database ${name}`);
  return server.url(name);
}

/** Ends the connections to the database, so that all that follows sees it. */
function setReadOnly(name: string, readOnly: boolean): Promise<void> {
  return administer(
    `alter database ${name} set default_transaction_read_only = ${readOnly}`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
}

test("PostgreSQL crashes under load and comes back: nothing is lost or counted twice", async () => {
  stage = await FaultStage.set({ DATABASE_URL: await newDatabase("crashing") });
  stage.beginLoad();
  await stage.untilReports(200);

  await server.stop("SIGQUIT");
  await stage.untilReports(503);
  expect(await stage.wrongReads()).toEqual([]);
  expect((await stage.watch.request("GET", "/readyz")).status).toBe(503);

  await server.start();
  await stage.untilReports(200);
  await stage.endLoad();
  expect(stage.wrongAnswers()).toEqual([]);
  expect(await stage.wrongBooks()).toEqual([]);
});

test("PostgreSQL hangs under load and goes on: reads are answered, reports are told to wait", async () => {
  stage = await FaultStage.set({ DATABASE_URL: await newDatabase("hanging") });
  stage.beginLoad();
  await stage.untilReports(200);

  const thaw = await freeze(server);
  try {
    expect(await stage.wrongReads()).toEqual([]);
    await stage.untilReports(503);
    expect(await stage.wrongReads()).toEqual([]);
  } finally {
    thaw();
  }

  await stage.untilReports(200);
  await stage.endLoad();
  expect(stage.wrongAnswers()).toEqual([]);
  expect(await stage.wrongBooks()).toEqual([]);
});

test("the process lives through many crashes of PostgreSQL, whatever it was asking at the time", async () => {
  stage = await FaultStage.set({ DATABASE_URL: await newDatabase("crashing_often") });
  for (let round = 0; round < 3; round++) {
    stage.beginLoad();
    await stage.untilReports(200);
    const logIns = Promise.all(Array.from({ length: 5 }, () => stage.tryLogIn()));
    await server.stop("SIGQUIT");
    expect((await logIns).filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await server.start();
    await stage.untilReports(200);
    await stage.endLoad();
  }
  expect(stage.wrongAnswers()).toEqual([]);
  expect(await stage.wrongBooks()).toEqual([]);
});

test("PostgreSQL is read-only for a while, as after a failover", async () => {
  stage = await FaultStage.set({ DATABASE_URL: await newDatabase("failing_over") });
  const session = await stage.logIn();
  const create = () =>
    stage.service.request("POST", "/api/nodes/", { token: session, body: nodeBody() });
  stage.beginLoad();
  await stage.untilReports(200);

  await setReadOnly("failing_over", true);
  await stage.untilReports(503);
  expect(await stage.wrongReads()).toEqual([]);
  expect((await create()).body).toMatchObject({ code: "storage_unavailable" });

  await setReadOnly("failing_over", false);
  await stage.untilReports(200);
  expect((await create()).status).toBe(201);
  await stage.endLoad();
  expect(stage.wrongAnswers()).toEqual([]);
  expect(await stage.wrongBooks()).toEqual([]);
});
