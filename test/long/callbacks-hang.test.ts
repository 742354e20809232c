import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/server/database/database.ts";
import { systemClock } from "../../src/server/lib/clock.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ProviderServer } from "../support/provider-server.ts";

const LIMIT_MS = 30_000;

it.concurrent.each(["sqlite", "postgres"] as const)(
  "a target that hangs is given up after 30 s, and gets the change 5 s later (%s)",
  async (dialect) => {
    const folder = await mkdtemp(join(tmpdir(), "waypost-hang-"));
    const database = await openDatabase(
      dialect === "sqlite"
        ? { dialect, file: join(folder, "waypost.db") }
        : { dialect, url: await newPostgresDatabase() },
      systemClock,
      createLogger("silent"),
    );
    const target = await ProviderServer.listen();
    const stage = new CallbackStage({ database, clock: systemClock });
    await stage.callbacks.start();
    const rule = await stage.addRule();
    await stage.addTasks(rule, await stage.addAccount(`${target.url}/hook`));
    target.failNext("hang");
    await stage.change(rule, 2);
    await target.arrival();
    await target.arrival();
    await stage.callbacks.idle();
    const [run] = await stage.runs();
    const { status, attempts } = await stage.callbacks.service.get(run?.id ?? 0);
    expect([status, ...attempts.map((each) => each.error_class)]).toEqual([
      "succeeded",
      "timeout",
      null,
    ]);
    expect(attempts[0]?.duration_ms).toBeGreaterThanOrEqual(LIMIT_MS);
    await stage.close();
    await target.close();
    await database.close();
    await rm(folder, { recursive: true });
  },
  90_000,
);
