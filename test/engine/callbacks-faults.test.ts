import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import type { Action } from "../../src/server/callbacks/actions/action.ts";
import { webhook } from "../../src/server/callbacks/actions/webhook.ts";
import { ExchangeError } from "../../src/server/lib/exchange-error.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import type { Run } from "../../src/shared/api/callbacks.ts";
import { CallbackStage, type StageOptions } from "../support/callback-stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { MoodyDatabase } from "../support/moody-database.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ProviderServer } from "../support/provider-server.ts";
import type { DialectName } from "../support/service.ts";

const LEASE_MS = 30_000;

let folder: string;
let real: Database;
let storage: MoodyDatabase;
let clock: ManualClock;
let target: ProviderServer;
let stage: CallbackStage;

async function open(dialect: DialectName, options: Partial<StageOptions> = {}): Promise<number> {
  clock = new ManualClock();
  folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
  real = await openDatabase(
    dialect === "sqlite"
      ? { dialect, file: join(folder, "waypost.db") }
      : { dialect, url: await newPostgresDatabase() },
    clock,
    createLogger("silent"),
  );
  storage = new MoodyDatabase(real);
  target = await ProviderServer.listen();
  stage = new CallbackStage({ database: storage.database, clock, ...options });
  await stage.callbacks.start();
  return stage.addRule();
}

/** A task that sends the changes of a new rule to the target. */
async function openTask(dialect: DialectName, options: Partial<StageOptions> = {}) {
  const rule = await open(dialect, options);
  await stage.addTasks(rule, await stage.addAccount(`${target.url}/hook`));
  return rule;
}

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await stage.callbacks.runWorkersOnce();
}

/** What each kind of run has come to. */
function outcomes(runs: readonly Run[]): unknown[] {
  return runs.map((run) => [run.status, run.attempt_count, run.error]);
}

afterEach(async () => {
  storage.mood = "fine";
  await stage.close();
  await target.close();
  await real.close();
  await rm(folder, { recursive: true, force: true });
});

/** Attempts of the first run cannot be stored, and can be again. */
const refusals = {
  sqlite: [
    sql`create trigger refusal before insert on callback_attempts when new.run_id = 1
      and new.error_class is null begin select raise(abort, 'refused'); end`,
    sql`drop trigger refusal`,
  ],
  postgres: [
    sql`alter table callback_attempts add constraint refusal
      check (run_id <> 1 or error_class is not null)`,
    sql`alter table callback_attempts drop constraint refusal`,
  ],
} as const;

describe.each(["sqlite", "postgres"] as const)("the storage (%s)", (dialect) => {
  test("is away while a try ends: its end is stored once it is back, and nothing is sent twice", async () => {
    const rule = await openTask(dialect);
    target.failNext("hang in the body");
    const arrived = target.arrival();
    await stage.change(rule, 2);
    await arrived;
    storage.mood = "away";
    const failed = storage.untilFailed(1);
    target.drop();
    await failed;
    expect((await stage.runs()).map((run) => run.status)).toEqual(["running"]);
    storage.mood = "fine";
    await stage.callbacks.idle();
    expect((await stage.runs()).map((run) => run.status)).toEqual(["retrying"]);
    await pass(5_000);
    expect(outcomes(await stage.runs())).toEqual([["succeeded", 2, null]]);
    expect(target.received).toHaveLength(2);
  });

  test("loses its answer when an end is stored: it has been stored, once", async () => {
    const rule = await openTask(dialect);
    target.failNext("hang");
    const arrived = target.arrival();
    await stage.change(rule, 2);
    await arrived;
    storage.mood = "loses the answer";
    const failed = storage.untilFailed(1);
    target.drop();
    await failed;
    storage.mood = "fine";
    await stage.callbacks.idle();
    expect((await stage.runs()).map((run) => run.status)).toEqual(["retrying"]);
    expect(await stage.attempts()).toBe(1);
  });

  test("is away when runs are due: they are taken up once it is back", async () => {
    const rule = await openTask(dialect);
    target.failNext({ status: 500 });
    await stage.change(rule, 2);
    await stage.callbacks.idle();
    storage.mood = "away";
    clock.advance(5_000);
    const failed = storage.untilFailed(1);
    stage.callbacks.outbox.onStored();
    await failed;
    storage.mood = "fine";
    await pass(0);
    expect(outcomes(await stage.runs())).toEqual([["succeeded", 2, null]]);
  });

  test("refuses the end of one run: those of others are stored, and that one is tried again", async () => {
    const rule = await open(dialect);
    await stage.addTasks(rule, await stage.addAccount(`${target.url}/hook`), 3);
    const [guard, unguard] = refusals[dialect];
    await guard.execute(real.db);
    await stage.change(rule, 2);
    await stage.callbacks.idle();
    const states = async () => (await stage.runs()).map(({ id, status }) => [id, status]);
    expect(await states()).toEqual([
      [3, "succeeded"],
      [2, "succeeded"],
      [1, "running"],
    ]);
    await unguard.execute(real.db);
    await pass(LEASE_MS);
    expect((await states()).at(-1)).toEqual([1, "succeeded"]);
    expect(target.received).toHaveLength(4);
  });

  test("hears nothing of a try for longer than its lease: it is not taken up a second time here", async () => {
    const rule = await openTask(dialect);
    target.failNext("hang");
    const arrived = target.arrival();
    await stage.change(rule, 2);
    await arrived;
    clock.advance(60_000);
    const looked = storage.untilEnded(1);
    stage.callbacks.outbox.onStored();
    await looked;
    expect(target.received).toHaveLength(1);
    target.drop();
    await stage.callbacks.idle();
    expect(outcomes(await stage.runs())).toMatchObject([["retrying", 1, expect.any(String)]]);
  });
});

/** A webhook whose tries fail in these ways before they do not. */
function failing(...failures: Error[]): Action {
  const action = webhook as Action;
  return {
    ...webhook,
    run: async (input) => {
      const failure = failures.shift();
      if (failure) throw failure;
      return action.run(input);
    },
  };
}

describe("an action", () => {
  test("that has no answer in time is tried again", async () => {
    const late = new ExchangeError("timeout", "No answer from 127.0.0.1 in 30 s");
    const rule = await openTask("sqlite", { actions: { webhook: failing(late) } });
    await stage.change(rule, 2);
    await stage.callbacks.idle();
    const error = "No answer from 127.0.0.1 in 30 s";
    expect(outcomes(await stage.runs())).toEqual([["retrying", 1, error]]);
    await pass(5_000);
    expect(outcomes(await stage.runs())).toEqual([["succeeded", 2, null]]);
  });

  test("with a defect of ours fails with a sentence that gives nothing away", async () => {
    const broken = new TypeError("undefined is not a function of the password hunter2");
    const rule = await openTask("sqlite", { actions: { webhook: failing(broken) } });
    await stage.change(rule, 2);
    await stage.callbacks.idle();
    const error = "A defect of this service; its log says more";
    expect(outcomes(await stage.runs())).toEqual([["failed", 1, error]]);
  });

  test("whose secret cannot be opened any more fails and says so", async () => {
    const rule = await openTask("sqlite");
    await real.db
      .updateTable("callback_accounts")
      .set({
        config: JSON.stringify({
          url: "wp1.000000000000.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAA",
        }),
      })
      .execute();
    await stage.change(rule, 2);
    await stage.callbacks.idle();
    const [run] = await stage.runs();
    expect(run?.status).toBe("failed");
    expect(run?.error).toContain("which is not among the configured ones");
    const [account] = await stage.callbacks.accounts.list();
    expect(account?.config).toEqual({ url: { set: true, hint: "…" } });
  });
});
