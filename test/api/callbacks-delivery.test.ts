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
});
