import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase, type Database, type Db } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { loadFleet } from "../../src/server/nodes/fleet-loader.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { NodeService } from "../../src/server/nodes/service.ts";
import { Turns } from "../../src/server/nodes/turns.ts";
import type { Caller } from "../../src/server/users/caller.ts";
import { ManualClock } from "../support/manual-clock.ts";

const clock = new ManualClock();
const caller: Caller = { userId: 1, email: "owner@example.com", isAdmin: false };
const settings = (name: string) => ({
  name,
  regionType: "domestic" as const,
  connections: [{ type: "TCP", ip: "203.0.113.7", port: 1 }],
});

let folder: string;
let database: Database;
let fleet: Fleet;
let nodes: NodeService;
/** What the next transaction does instead of telling how it ended. */
let fault: "none" | "lost answer" | "late answer" | "nothing stored" = "none";
let answering: PromiseWithResolvers<void>;

beforeEach(async () => {
  answering = Promise.withResolvers();
  folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
  const target = { dialect: "sqlite" as const, file: join(folder, "waypost.db") };
  database = await openDatabase(target, clock, createLogger("silent"));
  await database.db
    .insertInto("users")
    .values({
      email: caller.email,
      email_key: caller.email,
      password_hash: "",
      is_admin: 0,
      verified: 1,
      disabled: 0,
      session_version: 1,
      created_at: 0,
    })
    .execute();
  fleet = new Fleet();
  nodes = new NodeService({ ...database, db: faultyDb(database.db) }, fleet, clock);
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** The database behind a connection that may break around a commit. */
function faultyDb(db: Db): Db {
  const execute = async (work: (transaction: Db) => Promise<unknown>) => {
    const now = fault;
    fault = "none";
    const lost = new Error("Connection terminated unexpectedly");
    if (now === "nothing stored") throw lost;
    const result = await db.transaction().execute(work);
    if (now === "lost answer") throw lost;
    if (now === "late answer") await answering.promise;
    return result;
  };
  return new Proxy(db, {
    get: (target, key) => {
      if (key === "transaction") return () => ({ execute });
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** What a process that starts now would see. */
async function stored(): Promise<unknown[]> {
  const loaded = new Fleet();
  await loadFleet(database.db, loaded, clock);
  return snapshot(loaded);
}

function snapshot(of: Fleet): unknown[] {
  return Array.from(of.slotsById(), (slot) => of.record(slot));
}

async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error: unknown) => (error as Error).message,
  );
}

test("a change whose commit nobody answered is looked up before the next one", async () => {
  const { id } = await nodes.create(caller, settings("a"));
  fault = "lost answer";
  expect(await outcome(nodes.change(caller, id, { tags: "x" }))).toContain("Connection");
  fault = "lost answer";
  expect(await outcome(nodes.create(caller, settings("b")))).toContain("Connection");
  expect(fleet.size).toBe(1);
  await nodes.create(caller, settings("c"));
  expect(snapshot(fleet)).toEqual(await stored());
  expect(fleet.size).toBe(3);
});

test("a change whose commit nobody answered is looked up in the background", async () => {
  const { id } = await nodes.create(caller, settings("a"));
  fault = "lost answer";
  expect(await outcome(nodes.remove(caller, id))).toContain("Connection");
  expect(fleet.size).toBe(1);
  await nodes.settle();
  expect(fleet.size).toBe(0);
  expect(await stored()).toEqual([]);
});

test("a change that was not stored leaves the fleet as it is", async () => {
  const { id } = await nodes.create(caller, settings("a"));
  const before = snapshot(fleet);
  fault = "nothing stored";
  expect(await outcome(nodes.change(caller, id, { tags: "x" }))).toContain("Connection");
  await nodes.settle();
  expect(snapshot(fleet)).toEqual(before);
  expect(await stored()).toEqual(before);
});

test("the nodes of an account stay when its deletion is rolled back, and go when it is stored", async () => {
  await nodes.create(caller, settings("a"));
  const failing = database.db.transaction().execute(async (transaction) => {
    await nodes.removeNodesOf(caller.userId, transaction);
    throw new Error("the last administrator");
  });
  expect(await outcome(failing)).toBe("the last administrator");
  await nodes.settle();
  expect(snapshot(fleet)).toEqual(await stored());
  expect(fleet.size).toBe(1);

  const forget = await database.db.transaction().execute(async (transaction) => {
    const done = await nodes.removeNodesOf(caller.userId, transaction);
    await transaction.deleteFrom("users").where("id", "=", caller.userId).execute();
    return done;
  });
  expect(fleet.size).toBe(1);
  forget();
  expect(fleet.size).toBe(0);
  expect(await outcome(nodes.create(caller, settings("b")))).toBe(
    "The account of this session is gone",
  );
});

test("a change that was under way when the account went does not bring its node back", async () => {
  const { id } = await nodes.create(caller, settings("a"));
  fault = "late answer";
  const change = nodes.change(caller, id, { tags: "x" });
  const forget = await database.db
    .transaction()
    .execute((transaction) => nodes.removeNodesOf(caller.userId, transaction));
  forget();
  answering.resolve();
  expect(await outcome(change)).toBe("done");
  expect(fleet.size).toBe(0);
  expect(await stored()).toEqual([]);
});

test("turns of one key follow one another, also after a failure; others do not wait", async () => {
  const turns = new Turns();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = turns.take(1, async () => {
    await gate.promise;
    log.push("first");
    throw new Error("failed");
  });
  const second = turns.take(1, async () => log.push("second"));
  await turns.take(2, async () => log.push("other"));
  expect(log).toEqual(["other"]);
  gate.resolve();
  expect(await outcome(first)).toBe("failed");
  await second;
  expect(log).toEqual(["other", "first", "second"]);
});
