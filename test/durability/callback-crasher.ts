/**
 * Delivers one change of a mapping and is killed at one of the points on the way: `node
 * callback-crasher.ts <file or URL> <point or -1>`. Prints the names of the points that it passed.
 */
import { openDatabase } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { CrashPoints } from "./crash-points.ts";

/** The first pause of the schedule. */
const PAUSE_MS = 5_000;

const [place = "", crashAt = "-1"] = process.argv.slice(2);
const clock = new ManualClock();
const database = await openDatabase(
  place.startsWith("postgres:")
    ? { dialect: "postgres", url: place }
    : { dialect: "sqlite", file: place },
  clock,
  createLogger("silent"),
);
const points = new CrashPoints(Number(crashAt));
const wrapHttp = (http: Parameters<CrashPoints["guardHttp"]>[0]) => points.guardHttp(http);
const stage = new CallbackStage({ database, clock, wrapHttp });
points.guardStorage(database);
points.watch();
await stage.callbacks.start();
await stage.change(1, 2);
await stage.callbacks.idle();
clock.advance(PAUSE_MS);
await stage.callbacks.runWorkersOnce();
process.stdout.write(JSON.stringify(points.names));
await stage.close();
await database.close();
