import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { survivesKills } from "../durability/kill-rounds.ts";
import { newPostgresDatabase } from "../support/postgres.ts";

const ROUNDS = 100;

it.each(["sqlite", "postgres"] as const)(
  "kill -9 under 500 reports a second loses nothing and counts nothing twice (%s)",
  async (dialect) => {
    const folder = await mkdtemp(join(tmpdir(), "waypost-kill-"));
    const database = dialect === "postgres" ? { DATABASE_URL: await newPostgresDatabase() } : {};
    await survivesKills({ DATA_DIR: folder, ...database }, ROUNDS);
    await rm(folder, { recursive: true });
    expect.hasAssertions();
  },
  20 * 60_000,
);
