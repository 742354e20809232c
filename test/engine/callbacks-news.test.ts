import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KyselyPlugin } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RunNews } from "../../src/server/callbacks/run-news.ts";
import { endWaiting, insertRun } from "../../src/server/callbacks/run-store.ts";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { ManualClock } from "../support/manual-clock.ts";

/** Lets so many answers of the storage pass and loses the next one. */
class OneLoss implements KyselyPlugin {
  passing = Number.POSITIVE_INFINITY;

  transformQuery: KyselyPlugin["transformQuery"] = ({ node }) => node;

  transformResult: KyselyPlugin["transformResult"] = async ({ result }) => {
    if (this.passing-- === 0) throw new Error("the storage is away");
    return result;
  };
}

let folder: string;
let database: Database;
const logger = createLogger("silent");
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
  const target = { dialect: "sqlite", file: join(folder, "waypost.db") } as const;
  database = await openDatabase(target, new ManualClock(), logger);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function addRun(): Promise<number> {
  const { id } = await insertRun(database.db, {
    task: { id: 1, name: "task" },
    account: { id: 1, name: "hook", type: "webhook" },
    rule: { id: 1, name: "home", transport: "udp" },
    trigger: "manual",
    event: "manual",
    mapping: { publicIp: "203.0.113.1", publicPort: 5_000 },
    previous: null,
    createdAt: 1,
  });
  return id;
}

function cancel(id: number): Promise<void> {
  return endWaiting(database.db, id, { status: "cancelled", error: "enough", at: 2 });
}

test("the end of a run that could not be read at once is told as soon as it can", async () => {
  const id = await addRun();
  const loss = new OneLoss();
  const news = new RunNews(database.db.withPlugin(loss), logger);
  const told: string[] = [];
  const end = await news.subscribe((run) => void told.push(`${run.id} ${run.status}`));
  await cancel(id);
  // What has changed is found out; what it is now is not.
  loss.passing = 1;
  news.look();
  await expect.poll(() => loss.passing).toBeLessThan(0);
  news.look();
  await expect.poll(() => told).toEqual([`${id} cancelled`]);
  end();
});

test("who listens after a while in which nobody did is not told of that while", async () => {
  const news = new RunNews(database.db, logger);
  const first = await addRun();
  (await news.subscribe(() => {}))();
  await cancel(first);
  const told: number[] = [];
  const end = await news.subscribe((run) => void told.push(run.id));
  const second = await addRun();
  news.look();
  await expect.poll(() => told).toEqual([second]);
  end();
});
