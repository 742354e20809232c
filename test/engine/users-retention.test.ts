import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { DAY_MS } from "../../src/server/lib/clock.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { addAccountToken } from "../../src/server/users/account-tokens.ts";
import { dropUnverified } from "../../src/server/users/retention.ts";
import * as store from "../../src/server/users/store.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newPostgresDatabase } from "../support/postgres.ts";

describe.each(["sqlite", "postgres"] as const)("accounts on %s", (dialect) => {
  const clock = new ManualClock();
  let folder: string;
  let database: Database;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
    const target =
      dialect === "sqlite"
        ? { dialect, file: join(folder, "waypost.db") }
        : { dialect, url: await newPostgresDatabase() };
    database = await openDatabase(target, clock, createLogger("silent"));
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  async function register(name: string): Promise<number> {
    const email = { text: `${name}@example.com`, key: `${name}@example.com` };
    const id = await store.putUnverified(database.db, email, "hash", clock.now());
    if (id === undefined) throw new Error(`${name} is registered already`);
    return id;
  }

  async function names(): Promise<string[]> {
    const users = await store.listUsers(database.db, { after: 0, limit: 100 });
    return users.map(({ email }) => email.split("@")[0] as string);
  }

  test("that nobody has confirmed for 30 days are dropped, others stay", async () => {
    await register("forgotten");
    await store.markVerified(database.db, await register("confirmed"));
    const late = await register("late");
    clock.advance(30 * DAY_MS);
    await dropUnverified(database.db, clock);
    expect(await names()).toEqual(["forgotten", "confirmed", "late"]);
    await addAccountToken(database.db, late, "verify", clock.now());
    clock.advance(1);
    await register("new");
    await dropUnverified(database.db, clock);
    expect(await names()).toEqual(["confirmed", "late", "new"]);
    // The link has expired as well.
    clock.advance(3 * DAY_MS);
    await dropUnverified(database.db, clock);
    expect(await names()).toEqual(["confirmed", "new"]);
  });
});
