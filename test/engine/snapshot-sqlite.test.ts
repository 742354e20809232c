import { mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { flawOfSqlite, snapshotSqlite } from "../../src/server/database/snapshot-sqlite.ts";

let folder: string;
let live: Database.Database;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-snapshot-"));
  file = join(folder, "live.db");
  live = new Database(file);
  live.pragma("journal_mode = WAL");
  live.pragma("synchronous = OFF");
  live.exec("create table pages (id integer primary key, bytes blob not null)");
  live.exec("create table journal (seq integer primary key)");
});
afterEach(async () => {
  live.close();
  await rm(folder, { recursive: true });
});

/** Makes the file longer by about so many pages. */
function grow(pages: number): void {
  const insert = live.prepare("insert into pages (bytes) values (zeroblob(4000))");
  live.transaction(() => {
    for (let count = 0; count < pages; count++) insert.run();
  })();
}

function countIn(copy: string, table: string): unknown {
  const database = new Database(copy, { readonly: true });
  const { count } = database.prepare(`select count(*) as count from ${table}`).get() as {
    count: number;
  };
  database.close();
  return count;
}

test("a copy comes to its end however often the file is written to, and is of the moment of the call", async () => {
  grow(4_000);
  const commit = live.prepare("insert into journal default values");
  for (let count = 0; count < 10; count++) commit.run();
  const copy = join(folder, "copy.db");
  const seen: number[] = [];
  await snapshotSqlite(file, copy, (copied, total) => {
    // Each commit would begin a copy without a view of its own anew.
    if (seen.length > 100) throw new Error("the copy does not come to its end");
    seen.push(copied / total);
    commit.run();
    grow(10);
  });
  expect(seen.length).toBeGreaterThan(3);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect([countIn(copy, "journal"), countIn(copy, "pages")]).toEqual([10, 4_000]);
  expect(flawOfSqlite(copy)).toBeUndefined();
  expect(countIn(file, "journal")).toBe(10 + seen.length);
});

test("a damaged file is told from a whole one", async () => {
  grow(100);
  const copy = join(folder, "copy.db");
  await snapshotSqlite(file, copy, () => {});
  await truncate(copy, 100_000);
  expect(flawOfSqlite(copy)).toBeDefined();
  expect(flawOfSqlite(join(folder, "missing.db"))).toBeDefined();
});
