import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { afterEach, expect, test } from "vitest";
import { ActionError, type Action } from "../../src/server/callbacks/actions/action.ts";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newPostgresDatabase } from "../support/postgres.ts";

let folder: string;
let database: Database;
let stage: CallbackStage;

afterEach(async () => {
  await stage.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const nothing = () => Promise.reject(new Error("this is not asked for"));

/** A target whose tries end in these ways, one after the other; it notes what each was told it holds. */
function targetThat(ends: ("fails" | "succeeded" | "skipped")[], told: unknown[]): Action {
  return {
    type: "registry_node",
    config: Type.Object({}),
    objections: () => [],
    test: nothing,
    dryRun: nothing,
    run: async ({ mapping, previous }) => {
      told.push([mapping.publicPort, previous?.publicPort]);
      const status = ends.shift() ?? "fails";
      if (status === "fails") throw new ActionError("permanent", "test", "It was to fail");
      return { status };
    },
  };
}

test.for(["sqlite", "postgres"] as const)(
  "a try knows what the target holds, also after runs that have failed (%s)",
  async (dialect) => {
    const clock = new ManualClock();
    folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
    database = await openDatabase(
      dialect === "sqlite"
        ? { dialect, file: join(folder, "waypost.db") }
        : { dialect, url: await newPostgresDatabase() },
      clock,
      createLogger("silent"),
    );
    const told: unknown[] = [];
    const target = targetThat(
      ["fails", "fails", "succeeded", "fails", "skipped", "fails", "succeeded"],
      told,
    );
    stage = new CallbackStage({ database, clock, actions: { registry_node: target } });
    await stage.callbacks.start();
    const rule = await stage.addRule();
    await stage.addTasks(rule, await stage.addAccount("", { type: "registry_node" }));
    for (let port = 2; port <= 8; port++) {
      await stage.change(rule, port);
      await stage.callbacks.idle();
    }
    expect(told).toEqual([
      // Nothing has been delivered yet: it holds what was before the first run.
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 4],
      [6, 4],
      [7, 6],
      [8, 6],
    ]);
  },
);
