/**
 * Seals what a storage holds by a new key and is killed at one of the points on the way: `node
 * key-crasher.ts <folder> <file or URL> <point or -1>`. Prints the names of the points that it passed.
 */
import { openDatabase } from "../../src/server/database/database.ts";
import { sealedAccounts } from "../../src/server/holes.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { rotateKey } from "../../src/server/system/key-rotation.ts";
import { secretKeyPlace } from "../../src/server/system/secret-key.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { CrashPoints } from "./crash-points.ts";

const [folder = "", storage = "", crashAt = "-1"] = process.argv.slice(2);
const clock = new ManualClock();
const database = await openDatabase(
  storage.startsWith("postgres:")
    ? { dialect: "postgres", url: storage }
    : { dialect: "sqlite", file: storage },
  clock,
  createLogger("silent"),
);
const points = new CrashPoints(Number(crashAt));
const place = points.guardKeys(secretKeyPlace({ secretKeys: undefined, dataDir: folder }));
points.guardStorage(database);
points.watch();
await rotateKey({ database, clock, place, accounts: sealedAccounts });
await points.pass("end");
process.stdout.write(JSON.stringify(points.names));
await database.close();
