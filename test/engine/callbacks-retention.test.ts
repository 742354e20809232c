import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ProviderServer } from "../support/provider-server.ts";

const DAY_MS = 86_400_000;

describe.each(["sqlite", "postgres"] as const)("the history of runs (%s)", (dialect) => {
  let folder: string;
  let database: Database;
  let target: ProviderServer;
  let stage: CallbackStage;
  const clock = new ManualClock();

  async function open(historyRuns: number): Promise<number> {
    folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
    database = await openDatabase(
      dialect === "sqlite"
        ? { dialect, file: join(folder, "waypost.db") }
        : { dialect, url: await newPostgresDatabase() },
      clock,
      createLogger("silent"),
    );
    target = await ProviderServer.listen();
    stage = new CallbackStage({ database, clock, historyRuns });
    await stage.callbacks.start();
    const rule = await stage.addRule();
    await stage.addTasks(rule, await stage.addAccount(`${target.url}/hook`));
    return rule;
  }

  afterEach(async () => {
    await stage.close();
    await target.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("keeps finished runs for 90 days, with their attempts", async () => {
    const rule = await open(1_000);
    await stage.change(rule, 2);
    await stage.callbacks.idle();
    clock.advance(45 * DAY_MS);
    await stage.change(rule, 3);
    await stage.callbacks.runWorkersOnce();
    clock.advance(45 * DAY_MS);
    await stage.callbacks.runWorkersOnce();
    expect(await stage.runs()).toHaveLength(2);
    clock.advance(1);
    await stage.callbacks.runWorkersOnce();
    expect((await stage.runs()).map((run) => run.public_port)).toEqual([3]);
    expect(await stage.attempts()).toBe(1);
  });

  test("keeps the newest of too many", async () => {
    const rule = await open(3);
    for (let port = 2; port < 10; port++) {
      await stage.change(rule, port);
      await stage.callbacks.idle();
    }
    await stage.callbacks.runWorkersOnce();
    expect((await stage.runs()).map((run) => run.public_port)).toEqual([9, 8, 7]);
    expect(await stage.attempts()).toBe(3);
  });

  test("loses no run that is not finished, however old and however many there are", async () => {
    const rule = await open(1);
    const failing = await stage.addAccount(`${target.url}/late`, { name: "late" });
    const other = await stage.addRule("other");
    await stage.addTasks(other, failing, 1, "late");
    target.failNext({ status: 429, headers: { "retry-after": "86400" } });
    await stage.change(other, 2);
    await stage.callbacks.idle();
    for (let port = 2; port < 5; port++) {
      await stage.change(rule, port);
      await stage.callbacks.idle();
    }
    await stage.callbacks.runWorkersOnce();
    const kept = (await stage.runs()).map((run) => [run.task_name, run.status]);
    expect(kept).toEqual([
      ["task 1", "succeeded"],
      ["late 1", "retrying"],
    ]);
  });
});
