import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { FaultStage } from "../support/fault-stage.ts";
import { freeze } from "../support/fault-freeze.ts";
import { PostgresServer } from "../support/postgres-server.ts";

let server: PostgresServer;
let stage: FaultStage;

beforeAll(async () => {
  server = await PostgresServer.create({ fsync: true });
});
afterAll(() => server.destroy());
afterEach(() => stage.clear());

/** @returns the URL of a database without tables */
async function newDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return server.url(name);
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
  for (let round = 0; round < 4; round++) {
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
