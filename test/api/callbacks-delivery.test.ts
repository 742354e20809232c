import { afterEach, beforeEach, expect, test } from "vitest";
import { CallbackWorld } from "../support/callback-world.ts";
import { describeOnBothDatabases } from "../support/service.ts";

describeOnBothDatabases("a change of a mapping", (context) => {
  let world: CallbackWorld;
  beforeEach(async () => {
    world = await CallbackWorld.start(context);
  });
  afterEach(() => world.stop());

  test("reaches the target once, and is on record", async () => {
    const { rule, task } = await world.openTask();
    expect(await world.runs()).toEqual([]);
    await world.move({ address: "203.0.113.8", port: 6_000 });

    expect(world.target.received).toHaveLength(1);
    const [received] = world.target.received;
    const [listed] = await world.runs();
    expect(JSON.parse(received?.body.toString() ?? "")).toEqual({
      event: "stun_ip_and_port_change",
      rule_name: rule.name,
      public_ip: "203.0.113.8",
      public_port: 6_000,
      previous_ip: "203.0.113.7",
      previous_port: 5_000,
      changed: "ip,port",
      run_id: listed?.id,
      timestamp: listed?.created_at,
    });
    const run = await world.lastRun();
    expect(run).toEqual({
      ...listed,
      attempts: [
        {
          number: 1,
          stages: [expect.objectContaining({ stage: "write", method: "POST", status: 200 })],
          error_class: null,
          error: null,
          started_at: expect.any(String) as unknown,
          duration_ms: expect.any(Number) as unknown,
        },
      ],
    });
    expect(listed).toEqual({
      id: expect.any(Number) as unknown,
      task_id: task,
      task_name: "task",
      account_id: expect.any(Number) as unknown,
      account_name: "hook",
      account_type: "webhook",
      rule_id: rule.id,
      rule_name: rule.name,
      trigger: "stun_ip_or_port_change",
      public_ip: "203.0.113.8",
      public_port: 6_000,
      previous_ip: "203.0.113.7",
      previous_port: 5_000,
      status: "succeeded",
      attempt_count: 1,
      http_status: 200,
      response_body: "ok",
      error: null,
      created_at: expect.any(String) as unknown,
      started_at: expect.any(String) as unknown,
      finished_at: expect.any(String) as unknown,
      duration_ms: expect.any(Number) as unknown,
    });
    await world.advance(60_000);
    await world.settle();
    expect(world.target.received).toHaveLength(1);
  });

  /** What the target answers before it answers 200. */
  const failing = (...statuses: number[]) =>
    world.target.failNext(...statuses.map((status) => ({ status, body: `no ${status}` })));

  const nextAttemptOf = (id: number) =>
    world.expect<string | null>(
      200,
      "next_attempt_at",
      world.ask("GET", `/api/callbacks/runs/${id}/next-attempt`),
    );

  test("is tried again after each failure that may pass, by the schedule, until it succeeds", async () => {
    await world.openTask();
    failing(500, 429, 502);
    await world.move({ port: 6_000 });
    expect(await world.lastRun()).toMatchObject({
      status: "retrying",
      http_status: 500,
      response_body: "no 500",
      finished_at: null,
      duration_ms: null,
    });
    const { started_at: startedAt } = await world.lastRun();
    for (const [seconds, status] of [
      [5, "retrying"],
      [15, "retrying"],
      [60, "succeeded"],
    ] as const) {
      const { id, attempts } = await world.lastRun();
      const next = await nextAttemptOf(id);
      const endedAt = Date.parse(attempts.at(-1)?.started_at ?? "");
      expect(Date.parse(next ?? "") - endedAt).toBe(seconds * 1000);
      await world.advance(seconds * 1000 - 1);
      await world.settle();
      expect((await world.lastRun()).status).toBe("retrying");
      await world.advance(1);
      await world.settle();
      expect((await world.lastRun()).status).toBe(status);
    }
    const run = await world.lastRun();
    expect(run).toMatchObject({
      attempt_count: 4,
      http_status: 200,
      error: null,
      // From the beginning of the first try to the end of the last.
      started_at: startedAt,
      duration_ms: 80_000,
    });
    expect(await nextAttemptOf(run.id)).toBe(null);
    expect(run.attempts.map((each) => [each.number, each.error_class])).toEqual([
      [1, "http_500"],
      [2, "http_429"],
      [3, "http_502"],
      [4, null],
    ]);
    const ids = world.target.received.map(({ body }) => body.toString());
    expect(new Set(ids).size).toBe(1);
  });

  test("fails for good after the last pause, and at once where trying again is of no use", async () => {
    await world.openTask();
    failing(500, 500, 500, 500, 500, 500, 500, 404);
    await world.move({ port: 6_000 });
    for (const seconds of [5, 15, 60, 300, 900, 3600]) {
      await world.advance(seconds * 1000);
      await world.settle();
    }
    expect(await world.lastRun()).toMatchObject({ status: "failed", attempt_count: 7 });
    await world.move({ port: 6_001 });
    expect(await world.lastRun()).toMatchObject({
      status: "failed",
      attempt_count: 1,
      http_status: 404,
    });
  });

  test("waits as long as the target asks for", async () => {
    await world.openTask();
    world.target.failNext({ status: 429, headers: { "retry-after": "120" } });
    await world.move({ port: 6_000 });
    await world.advance(119_000);
    await world.settle();
    expect((await world.lastRun()).status).toBe("retrying");
    await world.advance(1_000);
    await world.settle();
    expect((await world.lastRun()).status).toBe("succeeded");
  });

  test("takes the place of an older one that still waits: the newest mapping wins", async () => {
    await world.openTask();
    failing(500);
    await world.move({ port: 6_000 });
    await world.move({ port: 6_001 });
    const runs = await world.runs();
    expect(runs.map((run) => [run.public_port, run.status])).toEqual([
      [6_001, "succeeded"],
      [6_000, "superseded"],
    ]);
    expect(runs[1]?.error).toBe("A newer mapping has taken its place");
    await world.advance(3_600_000);
    await world.settle();
    expect(world.target.received).toHaveLength(2);
  });

  test("that waits is over once somebody has run the task with success, and not before", async () => {
    const { task } = await world.openTask();
    failing(500, 400);
    await world.move({ port: 6_000 });
    const runNow = async () => {
      await world.expect(202, "run", world.ask("POST", `/api/callbacks/tasks/${task}/run`));
      await world.settle();
      return (await world.runs()).map((run) => [run.trigger === "manual", run.status]);
    };
    expect(await runNow()).toEqual([
      [true, "failed"],
      [false, "retrying"],
    ]);
    expect(await runNow()).toEqual([
      [true, "succeeded"],
      [true, "failed"],
      [false, "superseded"],
    ]);
    expect((await world.runs()).at(-1)?.error).toBe("A later run has delivered the mapping");
  });

  test("waits for an older one that is being tried, which then is not tried again", async () => {
    await world.openTask();
    world.target.failNext("hang");
    const arrived = world.target.arrival();
    await world.moveQuietly({ port: 6_000 });
    await arrived;
    await world.moveQuietly({ port: 6_001 });
    expect((await world.runs()).map((run) => run.status)).toEqual(["queued", "running"]);
    expect(world.target.received).toHaveLength(1);
    world.target.drop();
    await world.settle();
    expect((await world.runs()).map((run) => run.status)).toEqual(["succeeded", "superseded"]);
  });

  test("of a kind that a task does not watch goes out with what of it still waits", async () => {
    await world.openTask({ trigger: "stun_ip_change" });
    failing(500);
    await world.move({ address: "203.0.113.8" });
    await world.move({ port: 7_000 });
    await world.advance(5_000);
    await world.settle();
    const [run, ...others] = await world.runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      public_ip: "203.0.113.8",
      public_port: 7_000,
      previous_port: 5_000,
    });
    const sent = JSON.parse(world.target.received.at(-1)?.body.toString() ?? "") as object;
    expect(sent).toMatchObject({ event: "stun_ip_and_port_change", public_port: 7_000 });
  });

  test("can be cancelled while it waits and while it is tried", async () => {
    await world.openTask();
    failing(500);
    await world.move({ port: 6_000 });
    const waiting = await world.lastRun();
    const cancel = (id: number) => world.ask("POST", `/api/callbacks/runs/${id}/cancel`);
    expect((await cancel(waiting.id)).body.run.status).toBe("cancelled");
    world.target.failNext("hang");
    const arrived = world.target.arrival();
    await world.moveQuietly({ port: 6_001 });
    await arrived;
    const tried = await world.lastRun();
    const { status, body } = await cancel(tried.id);
    expect([status, body.run.status]).toEqual([200, "cancelled"]);
    const again = await cancel(tried.id);
    expect([again.status, again.body.error]).toEqual([
      409,
      "The run is finished: it was cancelled",
    ]);
    expect((await world.lastRun()).attempts).toMatchObject([
      { number: 1, error_class: "interrupted" },
    ]);
    expect((await cancel(999_999)).status).toBe(404);
    await world.advance(3_600_000);
    await world.settle();
    expect(world.target.received).toHaveLength(2);
  });

  test("can be tried again as a new run that says the same, with the mapping as it is", async () => {
    await world.openTask({ trigger: "stun_port_change" });
    failing(400);
    await world.move({ port: 6_000 });
    await world.moveQuietly({ address: "203.0.113.8" });
    const failed = await world.lastRun();
    const retry = (id: number) => world.ask("POST", `/api/callbacks/runs/${id}/retry`);
    const { status, body } = await retry(failed.id);
    expect([status, body.run]).toEqual([
      201,
      expect.objectContaining({
        trigger: "stun_port_change",
        public_ip: "203.0.113.8",
        public_port: 6_000,
        previous_port: 5_000,
      }),
    ]);
    await world.settle();
    expect((await world.lastRun()).status).toBe("succeeded");
    expect((await retry(999_999)).status).toBe(404);

    failing(500);
    await world.move({ port: 6_001 });
    await retry((await world.lastRun()).id);
    await world.settle();
    expect((await world.runs("?limit=2")).map((run) => run.status)).toEqual([
      "succeeded",
      "superseded",
    ]);
  });

  test("is on record page by page, by task, rule and status, and as a file", async () => {
    const { rule, task } = await world.openTask();
    const account_id = await world.addAccount({
      name: "odd",
      config: { success_contains: "never" },
    });
    const odd = await world.addTask({ name: "=odd, task", stun_rule_id: rule.id, account_id });
    for (let port = 6_000; port < 6_004; port++) await world.move({ port });
    const all = await world.runs();
    expect(all).toHaveLength(8);
    const ids = all.map((run) => run.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    const page = await world.runs("?limit=3");
    const next = await world.runs(`?limit=3&before=${page.at(-1)?.id ?? 0}`);
    expect([...page, ...next]).toEqual(all.slice(0, 6));
    const count = async (query: string) => (await world.runs(query)).length;
    expect(await count(`?task_id=${task}`)).toBe(4);
    expect(await count(`?rule_id=${rule.id}`)).toBe(8);
    expect(await count("?rule_id=999")).toBe(0);
    expect(await count("?status=failed")).toBe(4);
    expect(await count("?status=queued")).toBe(0);
    expect(await count(`?task_id=${odd}&status=succeeded`)).toBe(0);
    expect(await count(`?task_id=${odd}&rule_id=${rule.id}&status=failed`)).toBe(4);
    for (const query of ["?status=lost", "?limit=201", "?limit=0", "?task_id=x", "?a=1"]) {
      expect((await world.ask("GET", `/api/callbacks/runs${query}`)).status).toBe(400);
    }

    const json = await world.ask("GET", `/api/callbacks/runs/export?format=json&task_id=${odd}`);
    expect(json.body.runs).toEqual(await world.runs(`?task_id=${odd}`));
    const csv = await world.ask("GET", "/api/callbacks/runs/export?format=csv");
    expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(csv.headers["content-disposition"]).toBe('attachment; filename="callback-runs.csv"');
    const lines = (csv.body as string).trimEnd().split("\r\n");
    expect(lines).toHaveLength(9);
    expect(lines[0]).toMatch(/^id,task_id,task_name,/);
    expect(csv.body).toContain(`,"'=odd, task",`);
    const empty = await world.ask("GET", "/api/callbacks/runs/export?format=json&rule_id=999");
    expect(empty.body).toEqual({ runs: [] });
    expect((await world.ask("GET", "/api/callbacks/runs/export")).status).toBe(400);
  });

  test("that was being delivered when the service stopped is delivered by the next start", async () => {
    await world.openTask();
    world.target.failNext("hang");
    const arrived = world.target.arrival();
    await world.moveQuietly({ port: 6_000 });
    await arrived;
    await world.service.restart();
    await world.settle();
    const run = await world.lastRun();
    expect(run).toMatchObject({ status: "succeeded", attempt_count: 2 });
    expect(run.attempts.map((each) => each.error_class)).toEqual(["interrupted", null]);
    expect(world.target.received).toHaveLength(2);
  });

  test("is counted", async () => {
    await world.openTask();
    failing(500);
    await world.move({ port: 6_000 });
    const { body } = await world.service.request("GET", "/metrics", { token: "metrics" });
    const tries = 'waypost_callback_attempts_total{type="webhook",outcome="retrying"} 1';
    expect(body).toContain(tries);
    expect(body).toContain("waypost_callback_runs_open 1");
    expect(body).toMatch(/waypost_callback_runs_oldest_seconds \d/);
    expect(body).toContain("waypost_callback_attempts_active 0");
  });
});
