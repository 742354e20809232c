import { afterEach, expect, test } from "vitest";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ProviderServer } from "../support/provider-server.ts";

const TASKS = 300;
const LEASE_MS = 30_000;

const clock = new ManualClock();
let target: ProviderServer;
let databases: Database[];
let stages: CallbackStage[];

/** Several instances on one database, with a target for all of them. */
async function open(...instances: string[]): Promise<{ rule: number; account: number }> {
  const url = await newPostgresDatabase();
  target = await ProviderServer.listen();
  databases = await Promise.all(
    instances.map(() => openDatabase({ dialect: "postgres", url }, clock, createLogger("silent"))),
  );
  stages = databases.map((database, n) => {
    return new CallbackStage({ database, clock, instance: instances[n] ?? "" });
  });
  const [first] = stages;
  if (!first) throw new Error("there must be one");
  const rule = await first.addRule();
  return { rule, account: await first.addAccount(`${target.url}/hook`) };
}

afterEach(async () => {
  for (const stage of stages) await stage.close();
  for (const database of databases) await database.close();
  await target.close();
});

function stageOf(index: number): CallbackStage {
  const stage = stages[index];
  if (!stage) throw new Error(`there is no instance ${index}`);
  return stage;
}

async function everybodyIdle(): Promise<void> {
  for (const stage of stages) await stage.callbacks.runWorkersOnce();
}

test("several instances share the runs of a change: each reaches its target once", async () => {
  const { rule, account } = await open("one", "two", "three");
  await stageOf(0).addTasks(rule, account, TASKS);
  for (const stage of stages) await stage.callbacks.start();
  await stageOf(0).change(rule, 2);
  for (const stage of stages) stage.callbacks.outbox.onStored();
  await everybodyIdle();
  const ids = target.received.map(
    ({ body }) => (JSON.parse(body.toString()) as { run_id: number }).run_id,
  );
  expect(ids).toHaveLength(TASKS);
  expect(new Set(ids).size).toBe(TASKS);
  const { db } = stageOf(0).database;
  const owners = await db
    .selectFrom("callback_runs")
    .select(["status", "attempt_count"])
    .distinct()
    .execute();
  expect(owners).toEqual([{ status: "succeeded", attempt_count: 1 }]);
});

test("runs of one task are one after the other, whichever instance takes them", async () => {
  const { rule, account } = await open("one", "two");
  await stageOf(0).addTasks(rule, account);
  for (const stage of stages) await stage.callbacks.start();
  target.failNext("hang");
  const arrived = target.arrival();
  await stageOf(0).change(rule, 2);
  await arrived;
  await stageOf(1).change(rule, 3);
  stageOf(1).callbacks.outbox.onStored();
  await stageOf(1).callbacks.idle();
  expect(target.received).toHaveLength(1);
  target.drop();
  await everybodyIdle();
  await everybodyIdle();
  expect((await stageOf(0).runs()).map((run) => run.status)).toEqual(["succeeded", "superseded"]);
});

test("what a lost instance had begun is taken up once its lease has ended, and not before", async () => {
  const { rule, account } = await open("lost", "other");
  await stageOf(0).addTasks(rule, account);
  await stageOf(0).callbacks.start();
  target.failNext("hang");
  const arrived = target.arrival();
  await stageOf(0).change(rule, 2);
  await arrived;
  await stageOf(1).callbacks.start();
  clock.advance(LEASE_MS - 1);
  await stageOf(1).callbacks.runWorkersOnce();
  expect(target.received).toHaveLength(1);
  clock.advance(1);
  await stageOf(1).callbacks.runWorkersOnce();
  const [run] = await stageOf(1).runs();
  expect(run).toMatchObject({ status: "succeeded", attempt_count: 2 });

  // The lost one comes back: it has no say any more, but what it saw goes on record.
  target.drop();
  await stageOf(0).callbacks.idle();
  const { status, attempts } = await stageOf(0).callbacks.service.get(run?.id ?? 0);
  expect(status).toBe("succeeded");
  expect(attempts.map((each) => each.error_class)).toEqual(["network", null]);
});

test("a run that another instance tries is broken off when it is cancelled", async () => {
  const { rule, account } = await open("trying", "asked");
  await stageOf(0).addTasks(rule, account);
  await stageOf(0).callbacks.start();
  target.failNext("hang");
  const arrived = target.arrival();
  await stageOf(0).change(rule, 2);
  await arrived;
  const [run] = await stageOf(1).runs();
  const caller = { userId: 1, email: "admin@example.com", isAdmin: true };
  const asked = await stageOf(1).callbacks.service.cancel(caller, run?.id ?? 0);
  expect(asked.status).toBe("running");
  await stageOf(0).callbacks.renew();
  await stageOf(0).callbacks.idle();
  expect((await stageOf(1).runs())[0]?.status).toBe("cancelled");
});

test("an instance that starts anew takes up at once what its last life had begun", async () => {
  const { rule, account } = await open("main", "main");
  await stageOf(0).addTasks(rule, account);
  await stageOf(0).callbacks.start();
  target.failNext("hang");
  const arrived = target.arrival();
  await stageOf(0).change(rule, 2);
  await arrived;
  await stageOf(1).callbacks.start();
  await stageOf(1).callbacks.idle();
  const [run] = await stageOf(1).runs();
  expect(run).toMatchObject({ status: "succeeded", attempt_count: 2 });
  target.drop();
});

test("an instance that has lost a run prolongs nothing and breaks its try off", async () => {
  const { rule, account } = await open("late", "other");
  await stageOf(0).addTasks(rule, account);
  for (const stage of stages) await stage.callbacks.start();
  target.failNext("hang", "hang");
  const first = target.arrival();
  await stageOf(0).change(rule, 2);
  await first;
  clock.advance(LEASE_MS);
  const second = target.arrival();
  stageOf(1).callbacks.outbox.onStored();
  await second;
  const lease = () =>
    stageOf(1)
      .database.db.selectFrom("callback_runs")
      .select(["status", "lease_owner", "due_at"])
      .executeTakeFirstOrThrow();
  const before = await lease();
  expect(before.lease_owner).toMatch(/^other:/);
  clock.advance(LEASE_MS / 3);
  await stageOf(0).callbacks.renew();
  await stageOf(0).callbacks.idle();
  expect(await lease()).toEqual(before);
  target.drop();
  await stageOf(1).callbacks.idle();
});

test("two runs of one task that are due at once go one after the other", async () => {
  const { rule, account } = await open("main");
  await stageOf(0).addTasks(rule, account);
  await stageOf(0).change(rule, 2);
  const { db } = stageOf(0).database;
  const queued = await db.selectFrom("callback_runs").selectAll().executeTakeFirstOrThrow();
  const { id, ...asked } = { ...queued, trigger: "manual" };
  await db.insertInto("callback_runs").values(asked).execute();
  target.failNext("hang");
  const arrived = target.arrival();
  await stageOf(0).callbacks.start();
  await arrived;
  const states = async () => (await stageOf(0).runs()).map((run) => [run.id, run.status]);
  expect(await states()).toEqual([
    [id + 1, "queued"],
    [id, "running"],
  ]);
  target.drop();
  await everybodyIdle();
  expect(target.received).toHaveLength(2);
  expect((await states())[0]).toEqual([id + 1, "succeeded"]);
});
