import { afterEach, expect, test } from "vitest";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { systemClock } from "../../src/server/lib/clock.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage, SEAL_KEY } from "../support/callback-stage.ts";
import { InstanceGroup, until } from "../support/instance-group.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ProviderServer } from "../support/provider-server.ts";

const TASKS = 60;

let group: InstanceGroup;
let database: Database;
let stage: CallbackStage;
let target: ProviderServer;

afterEach(async () => {
  await group.clear();
  await stage.close();
  await database.close();
  await target.close();
});

test("three processes share the runs of a change, one of them killed on the way: each target is told", async () => {
  const url = await newPostgresDatabase();
  target = await ProviderServer.listen();
  database = await openDatabase({ dialect: "postgres", url }, systemClock, createLogger("silent"));
  // It stores the change and runs nothing itself.
  stage = new CallbackStage({ database, clock: systemClock, instance: "storing" });
  const rule = await stage.addRule();
  await stage.addTasks(rule, await stage.addAccount(`${target.url}/hook`), TASKS);
  group = await InstanceGroup.start(url, ["one", "two", "three"], { SECRET_KEY: SEAL_KEY });
  const finished = async () => {
    const rows = await database.db
      .selectFrom("callback_runs")
      .select(["id", "status", "attempt_count"])
      .where("finished_at", "is not", null)
      .execute();
    return rows;
  };

  await stage.change(rule, 2);
  await until(async () => (await finished()).length === TASKS);
  expect(new Set((await finished()).map((run) => `${run.status} ${run.attempt_count}`))).toEqual(
    new Set(["succeeded 1"]),
  );
  expect(target.received).toHaveLength(TASKS);

  await stage.change(rule, 3);
  await until(async () => target.received.length > TASKS);
  await group.kill("two");
  await group.run("two");
  await until(async () => (await finished()).length === 2 * TASKS);
  const told = target.received.map(
    ({ body }) => (JSON.parse(body.toString()) as { run_id: number }).run_id,
  );
  expect(new Set(told).size).toBe(2 * TASKS);
  const runs = await finished();
  expect(runs.every((run) => run.status === "succeeded")).toBe(true);
  // Only what was under way when it was killed may have been told again.
  const again = runs.filter((run) => run.attempt_count > 1).map((run) => run.id);
  expect(told.length - new Set(told).size).toBeLessThanOrEqual(again.length);
});
