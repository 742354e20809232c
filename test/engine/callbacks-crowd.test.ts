import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { systemClock } from "../../src/server/lib/clock.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { ProviderServer } from "../support/provider-server.ts";

/** Far below the time that a target may take to answer. */
const SOON_MS = 5_000;

let folder: string;
let database: Database;
let stage: CallbackStage;
let target: ProviderServer;
let silent: ProviderServer;

afterEach(async () => {
  silent.drop();
  await stage.close();
  await target.close();
  await silent.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Tasks on one rule, of which some go to a target that answers nothing. @returns the rule */
async function open(healthy: number, hanging: number, failing: number): Promise<number> {
  folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
  const file = join(folder, "waypost.db");
  database = await openDatabase({ dialect: "sqlite", file }, systemClock, createLogger("silent"));
  target = await ProviderServer.listen(({ url }) => ({
    status: url.pathname === "/fail" ? 500 : 200,
  }));
  silent = await ProviderServer.listen();
  silent.failNext(...Array.from({ length: hanging }, () => "hang" as const));
  stage = new CallbackStage({ database, clock: systemClock, dispatcher: { drainMs: 0 } });
  const rule = await stage.addRule();
  const urls = {
    hanging: [silent.url, hanging],
    failing: [`${target.url}/fail`, failing],
    healthy: [target.url, healthy],
  } as const;
  // Those that hang were there first.
  for (const [name, [url, count]] of Object.entries(urls)) {
    await stage.addTasks(rule, await stage.addAccount(url, { name }), count, name);
  }
  await stage.callbacks.start();
  return rule;
}

function deliveries(): number {
  return target.received.filter(({ url }) => url.pathname === "/").length;
}

async function untilDelivered(count: number): Promise<void> {
  const begun = performance.now();
  while (deliveries() < count && performance.now() - begun < SOON_MS) {
    await new Promise(setImmediate);
  }
  expect(deliveries()).toBe(count);
}

const shapes = [
  [160, 20, 20],
  // More hang than there are places for targets that answer.
  [160, 400, 20],
] as const;

test.each(shapes)(
  "%i healthy targets do not wait for %i that hang and %i that fail",
  async (healthy, hanging, failing) => {
    const rule = await open(healthy, hanging, failing);
    await stage.change(rule, 2);
    await untilDelivered(healthy);
    const statuses = await database.db
      .selectFrom("callback_runs")
      .select(["account_name", "status"])
      .where("account_name", "=", "hanging")
      .distinct()
      .execute();
    expect(statuses.map((each) => each.status)).not.toContain("succeeded");
  },
);

test("a task that hangs keeps its own next run waiting, and nobody else's", async () => {
  const rule = await open(5, 1, 0);
  await stage.change(rule, 2);
  await untilDelivered(5);
  await stage.change(rule, 3);
  await untilDelivered(10);
  const hanging = (await stage.runs()).filter((run) => run.account_name === "hanging");
  expect(hanging.map((run) => run.status)).toEqual(["queued", "running"]);
});
