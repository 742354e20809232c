import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { NoticeMail } from "../../src/server/callbacks/notice-channels.ts";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ProviderServer } from "../support/provider-server.ts";

interface Notice {
  event: string;
  message: string;
  failing: { task_name: string; error: string | null }[];
  recovered: { task_name: string }[];
}

describe.each(["sqlite", "postgres"] as const)("notices (%s)", (dialect) => {
  let folder: string;
  let database: Database;
  let clock: ManualClock;
  let target: ProviderServer;
  let people: ProviderServer;
  let stage: CallbackStage;
  let mails: NoticeMail[];
  let rule: number;
  let port = 1;

  async function open(tasks = 1): Promise<void> {
    clock = new ManualClock();
    folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
    database = await openDatabase(
      dialect === "sqlite"
        ? { dialect, file: join(folder, "waypost.db") }
        : { dialect, url: await newPostgresDatabase() },
      clock,
      createLogger("silent"),
    );
    target = await ProviderServer.listen();
    people = await ProviderServer.listen();
    mails = [];
    stage = new CallbackStage({
      database,
      clock,
      noticeWebhookUrl: `${people.url}/notices`,
      noticeMailTo: "ops@example.com",
      enqueueMail: (mail) => mails.push(mail),
    });
    await stage.callbacks.start();
    rule = await stage.addRule();
    await stage.addTasks(rule, await stage.addAccount(`${target.url}/hook`), tasks);
  }

  afterEach(async () => {
    await stage.close();
    await target.close();
    await people.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The next change, of which each task hears `status`. */
  async function change(status: number, tasks = 1): Promise<void> {
    if (status !== 200) target.failNext(...Array.from({ length: tasks }, () => ({ status })));
    await stage.change(rule, (port += 1));
    await pass(0);
  }

  async function pass(seconds: number): Promise<void> {
    clock.advance(seconds * 1000);
    await stage.callbacks.runWorkersOnce();
  }

  const notices = (): Notice[] =>
    people.received.map(({ body }) => JSON.parse(body.toString()) as Notice);

  test("do not tell of a run that somebody asked for and sees fail", async () => {
    await open();
    await change(200);
    const { db } = database;
    const last = await db.selectFrom("callback_runs").selectAll().executeTakeFirstOrThrow();
    const { id: _id, ...asked } = { ...last, trigger: "manual", status: "queued", due_at: 0 };
    await db
      .insertInto("callback_runs")
      .values({ ...asked, attempt_count: 0 })
      .execute();
    target.failNext({ status: 400 });
    await pass(0);
    expect((await stage.runs())[0]).toMatchObject({ trigger: "manual", status: "failed" });
    await pass(10);
    expect(notices()).toEqual([]);
  });

  test("tell once that a task fails, and once that it has recovered", async () => {
    await open();
    await change(400);
    expect(notices()).toEqual([]);
    await pass(10);
    expect(notices()).toEqual([
      {
        event: "callback_tasks",
        message: "Waypost: 1 callback task is failing",
        failing: [
          {
            task_id: expect.any(Number) as unknown,
            task_name: "task 1",
            run_id: expect.any(Number) as unknown,
            error: "The target answered 400: no success",
            at: expect.any(String) as unknown,
          },
        ],
        recovered: [],
      },
    ]);
    expect(mails).toEqual([
      {
        to: "ops@example.com",
        subject: "Waypost: 1 callback task is failing",
        text: expect.stringContaining("- task 1 (run ") as unknown,
      },
    ]);
    for (let n = 0; n < 5; n++) {
      await change(400);
      await pass(120);
    }
    expect(notices()).toHaveLength(1);
    await change(200);
    await pass(120);
    await change(200);
    await pass(120);
    expect(notices().map((each) => each.message)).toEqual([
      "Waypost: 1 callback task is failing",
      "Waypost: 1 callback task is well again",
    ]);
    await change(400);
    await pass(120);
    expect(notices()).toHaveLength(3);
  });

  test("come when the last try has failed, and not before", async () => {
    await open();
    target.failNext(...Array.from({ length: 7 }, () => ({ status: 503 })));
    await stage.change(rule, (port += 1));
    for (const seconds of [0, 5, 15, 60, 300, 900]) {
      await pass(seconds);
      await pass(61);
    }
    expect(notices()).toEqual([]);
    await pass(3600);
    await pass(61);
    expect(notices()).toHaveLength(1);
  });

  test("are one for all that fails within a minute", async () => {
    await open(200);
    await change(400, 200);
    await pass(10);
    expect(notices()).toHaveLength(1);
    expect(notices()[0]?.failing).toHaveLength(200);
    expect(mails[0]?.text).toContain("- and 150 more");
    await change(200);
    await pass(10);
    expect(notices()).toHaveLength(1);
    await pass(60);
    expect(notices()[1]?.recovered).toHaveLength(200);
  });

  test("say nothing of what is over before anybody was told", async () => {
    await open();
    await change(400);
    await change(200);
    await pass(120);
    expect(notices()).toEqual([]);
  });

  test("are tried again when nobody takes them", async () => {
    await open();
    await change(400);
    people.failNext({ status: 500 });
    mails.push = () => {
      throw new Error("the queue is full");
    };
    await pass(10);
    await pass(120);
    expect(notices()).toHaveLength(1);
    await pass(180);
    expect(notices()).toHaveLength(2);
    await pass(600);
    expect(notices()).toHaveLength(2);
  });

  test("say nothing twice when one channel takes them and the other does not", async () => {
    await open();
    await change(400);
    people.failNext({ status: 500 });
    await pass(10);
    await pass(600);
    expect([notices().length, mails.length]).toEqual([1, 1]);
  });
});
