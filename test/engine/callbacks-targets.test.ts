import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { NodeResolver } from "../../src/probe/node/resolver.ts";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { NameLookup } from "../../src/server/lib/name-lookup.ts";
import type { RunWithAttempts } from "../../src/shared/api/callbacks.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { NameServer } from "../support/name-server.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ProviderServer, type Certificate } from "../support/provider-server.ts";
import { expired, selfSigned } from "../support/self-signed.ts";

const FIRST_PAUSE_MS = 5_000;

describe.each(["sqlite", "postgres"] as const)("a target (%s)", (dialect) => {
  let folder: string;
  let database: Database;
  let clock: ManualClock;
  let names: NameServer;
  let stage: CallbackStage;
  let target: ProviderServer;
  let rule: number;
  let port = 1;

  beforeAll(async () => {
    clock = new ManualClock();
    folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
    database = await openDatabase(
      dialect === "sqlite"
        ? { dialect, file: join(folder, "waypost.db") }
        : { dialect, url: await newPostgresDatabase() },
      clock,
      createLogger("silent"),
    );
    names = await NameServer.listen({ "broken.example": "failure", "slow.example": "silent" });
    const resolver = new NameLookup(new NodeResolver({ servers: [names.address] }));
    stage = new CallbackStage({ database, clock, resolver });
    await stage.callbacks.start();
  });
  afterAll(async () => {
    await stage.close();
    names.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    target = await ProviderServer.listen();
  });
  afterEach(async () => {
    await target.close();
    // What is left of this test is not tried again by the next one.
    await database.db
      .updateTable("callback_runs")
      .set({ status: "cancelled", due_at: null })
      .where("due_at", "is not", null)
      .execute();
  });

  /** A rule of which one task sends the changes there. */
  async function watch(url: string): Promise<void> {
    const name = `rule ${(port += 1)}`;
    rule = await stage.addRule(name);
    await stage.addTasks(rule, await stage.addAccount(url, { name }), 1, name);
  }

  /** The run of a change, once it has been tried. */
  async function run(): Promise<RunWithAttempts> {
    await stage.change(rule, (port += 1));
    await stage.callbacks.idle();
    return newest();
  }

  async function newest(): Promise<RunWithAttempts> {
    const [newestRun] = await stage.callbacks.service.list({ ruleId: rule }, { limit: 1 });
    return stage.callbacks.service.get(newestRun?.id ?? 0);
  }

  async function pass(ms: number): Promise<RunWithAttempts> {
    clock.advance(ms);
    await stage.callbacks.runWorkersOnce();
    return newest();
  }

  test.for([
    ["reset", /closed the connection|reset the connection/],
    ["reset in the body", /closed the connection|reset the connection/],
  ] as const)("with a %s is tried again", async ([fault, error]) => {
    await watch(`${target.url}/hook`);
    target.failNext(fault);
    expect(await run()).toMatchObject(retrying(/^network$/, error));
    expect(await pass(FIRST_PAUSE_MS)).toMatchObject({ status: "succeeded", attempt_count: 2 });
  });

  test.for([
    ["gone.example", /gone\.example has no address/, /^network$/],
    ["broken.example", /broken\.example could not be resolved/, /^network$/],
    // Which of two limits is reached first is open.
    ["slow.example", /slow\.example could not be resolved/, /^(?:network|timeout)$/],
  ] as const)("whose name is %s is tried again", async ([host, error, errorClass]) => {
    await watch(`http://${host}/hook`);
    expect(await run()).toMatchObject(retrying(errorClass, error));
  });

  test.for<[what: string, certificate: Certificate, trusted: Certificate[], error: RegExp]>([
    ["nobody vouches for", selfSigned, [], /is signed by itself/],
    ["is for another name", selfSigned, [selfSigned], /is for another name/],
    ["has expired", expired, [expired], /has expired/],
  ])("whose certificate %s is tried again", async ([, certificate, trusted, error]) => {
    const usual = getCACertificates("default");
    const secure = await ProviderServer.listen(undefined, { certificate });
    setDefaultCACertificates([...usual, ...trusted.map(({ cert }) => cert)]);
    try {
      await watch(`${secure.url}/hook`);
      expect(await run()).toMatchObject(retrying(/^tls$/, error));
      expect(secure.received).toEqual([]);
    } finally {
      setDefaultCACertificates(usual);
      await secure.close();
    }
  });

  test("that hangs is given up after 30 seconds, and tried again", async () => {
    await watch(`${target.url}/hook`);
    target.failNext("hang");
    const arrival = target.arrival();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await stage.change(rule, (port += 1));
      await arrival;
      vi.advanceTimersByTime(29_999);
      expect((await newest()).status).toBe("running");
      vi.advanceTimersByTime(1);
      await stage.callbacks.idle();
    } finally {
      vi.useRealTimers();
    }
    const found = await newest();
    expect(found).toMatchObject({ status: "retrying", http_status: null });
    expect(found.error).toMatch(/^No answer from 127\.0\.0\.1:\d+ in 30 s$/);
    expect(found.attempts).toMatchObject([{ error_class: "timeout" }]);
    expect(await pass(FIRST_PAUSE_MS)).toMatchObject({ status: "succeeded", attempt_count: 2 });
  });

  test("that answers ten megabytes has said enough with the first 64 KiB", async () => {
    await watch(`${target.url}/hook`);
    target.failNext("ten megabytes");
    const found = await run();
    expect(found).toMatchObject({ status: "succeeded", http_status: 200 });
    expect(found.response_body).toHaveLength(65_536);
    expect(found.attempts[0]?.stages[0]?.truncated).toBe(true);
  });

  test("whose answer no text can hold is kept as far as a text can", async () => {
    await watch(`${target.url}/hook`);
    target.failNext({ status: 200, body: Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0x62]) });
    const found = await run();
    expect(found.status).toBe("succeeded");
    expect(found.response_body).toMatch(/^a\ufffd+b$/);
  });

  test.for([
    ["a number of seconds", () => "100"],
    ["a date", (now: number) => new Date(now + 100_000).toUTCString()],
  ] as const)("that asks by %s to wait is not asked again before", async ([, retryAfter]) => {
    await watch(`${target.url}/hook`);
    // Dates have no fractions of a second.
    clock.advance(1_000 - (clock.now() % 1_000));
    const headers = { "retry-after": retryAfter(clock.now()) };
    target.failNext({ status: 429, headers });
    expect(await run()).toMatchObject({ status: "retrying", http_status: 429 });
    expect(await pass(99_999)).toMatchObject({ status: "retrying", attempt_count: 1 });
    expect(await pass(1)).toMatchObject({ status: "succeeded", attempt_count: 2 });
    expect(target.received).toHaveLength(2);
  });

  test("that fails three times is tried by the schedule until it does not", async () => {
    await watch(`${target.url}/hook`);
    target.failNext({ status: 500 }, { status: 500 }, { status: 500 });
    expect(await run()).toMatchObject({ status: "retrying", http_status: 500 });
    expect((await pass(5_000)).attempt_count).toBe(2);
    expect((await pass(15_000)).attempt_count).toBe(3);
    const found = await pass(60_000);
    expect(found).toMatchObject({ status: "succeeded", http_status: 200, error: null });
    expect(found.attempts.map((each) => each.error_class)).toEqual([
      ...Array<string>(3).fill("http_500"),
      null,
    ]);
  });

  test("still gets what waits for it when another rule's mapping changes", async () => {
    await watch(`${target.url}/hook`);
    target.failNext({ status: 500 });
    const waiting = await run();
    await watch(`${target.url}/other`);
    expect((await run()).status).toBe("succeeded");
    expect((await stage.callbacks.service.get(waiting.id)).status).toBe("retrying");
    await pass(FIRST_PAUSE_MS);
    expect((await stage.callbacks.service.get(waiting.id)).status).toBe("succeeded");
  });

  test("that redirects is not followed", async () => {
    await watch(`${target.url}/hook`);
    target.failNext("redirect");
    expect(await run()).toMatchObject({ status: "failed", http_status: 302 });
    expect(target.received).toHaveLength(1);
  });

  test("that is not there is tried again", async () => {
    await watch("http://127.0.0.1:1/");
    expect(await run()).toMatchObject(retrying(/^network$/, /refused the connection/));
  });

  test("that must never be one is refused with a sentence that says so", async () => {
    await watch("http://169.254.169.254/");
    const found = await run();
    expect(found.status).toBe("failed");
    expect(found.error).toContain("169.254.169.254");
  });
});

/** A run that was tried once, in vain, and is tried again. */
function retrying(errorClass: RegExp, error: RegExp): object {
  return {
    status: "retrying",
    attempt_count: 1,
    http_status: null,
    error: expect.stringMatching(error) as unknown,
    attempts: [
      { error_class: expect.stringMatching(errorClass) as unknown, stages: [{ status: null }] },
    ],
  };
}
