import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { join } from "../support/accounts.ts";
import { CallbackWorld } from "../support/callback-world.ts";
import { createNode } from "../support/nodes.ts";
import { describeOnBothDatabases } from "../support/service.ts";

const TASKS = "/api/callbacks/tasks";

describeOnBothDatabases("callback tasks", (context) => {
  let world: CallbackWorld;
  beforeEach(async () => {
    world = await CallbackWorld.start(context);
  });
  afterEach(() => world.stop());

  test("are created, listed, read, changed and deleted", async () => {
    const { rule, task } = await world.openTask();
    const shown = {
      id: task,
      name: "task",
      enabled: true,
      trigger: "stun_ip_or_port_change",
      stun_rule_id: rule.id,
      account_id: expect.any(Number) as unknown,
    };
    const path = `${TASKS}/${task}`;
    expect((await world.ask("GET", path)).body).toEqual({ task: shown });
    expect((await world.ask("GET", TASKS)).body).toEqual({ tasks: [shown] });
    const changed = await world.ask("PUT", path, { name: " other ", trigger: "stun_ip_change" });
    expect(changed.body).toEqual({
      message: "The task is changed",
      task: { ...shown, name: "other", trigger: "stun_ip_change" },
    });
    expect((await world.ask("PUT", path, {})).status).toBe(200);
    expect((await world.ask("DELETE", path)).status).toBe(200);
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await world.ask(method, path, method === "PUT" ? {} : undefined)).status).toBe(404);
    }
    expect((await world.ask("POST", `${path}/run`)).status).toBe(404);
  });

  test("need everything, of what there is, under a name of their own", async () => {
    const { rule } = await world.openTask();
    const body = { name: "x", enabled: true, trigger: "stun_ip_change", stun_rule_id: rule.id };
    const cases: [object, string[]][] = [
      [body, ["account_id"]],
      [{ ...body, account_id: 999 }, ["account_id"]],
      [{ ...body, account_id: 999, stun_rule_id: 999 }, ["stun_rule_id", "account_id"]],
      [{ ...body, account_id: 1, trigger: "manual" }, ["trigger"]],
      [{ ...body, account_id: 1, enabled: "yes" }, ["enabled"]],
      [{ ...body, account_id: 1, name: "task" }, ["name"]],
      [{ ...body, account_id: 1, more: 1 }, ["more"]],
    ];
    for (const [given, paths] of cases) {
      const { status, body: refused } = await world.ask("POST", TASKS, given);
      expect(status).toBe(400);
      expect((refused.fields as { path: string }[]).map((each) => each.path)).toEqual(paths);
    }
    expect((await world.ask("GET", TASKS)).body.tasks).toHaveLength(1);
  });

  describe("are started by their kind of change, and no other:", () => {
    test.for([
      [{ address: "203.0.113.8" }, ["ip", "either"], "stun_ip_change"],
      [{ port: 6_000 }, ["port", "either"], "stun_port_change"],
      [
        { address: "203.0.113.8", port: 6_000 },
        ["ip", "port", "either"],
        "stun_ip_and_port_change",
      ],
    ] as const)("%j starts %j", async ([mapping, names, event]) => {
      const rule = await world.openRule();
      const other = await world.openRule({ name: "another", enabled: false });
      const account_id = await world.addAccount();
      const kinds = {
        ip: "stun_ip_change",
        port: "stun_port_change",
        either: "stun_ip_or_port_change",
      };
      for (const [name, trigger] of Object.entries(kinds)) {
        await world.addTask({ name, trigger, stun_rule_id: rule.id, account_id });
      }
      const either = { trigger: kinds.either, account_id };
      await world.addTask({ ...either, name: "off", enabled: false, stun_rule_id: rule.id });
      await world.addTask({ ...either, name: "other rule", stun_rule_id: other.id });
      await world.move(mapping);
      const runs = await world.runs();
      expect(runs.map((run) => run.task_name).toSorted()).toEqual([...names].toSorted());
      expect(runs.every((run) => run.status === "succeeded")).toBe(true);
      const events = world.target.received.map(
        ({ body }) => (JSON.parse(body.toString()) as { event: string }).event,
      );
      expect(events).toEqual(names.map(() => event));
    });
  });

  test("are not started for rules that trigger no callbacks, nor by a first mapping", async () => {
    const { rule } = await world.openTask();
    await world.ask("PUT", `/api/stun/rules/${rule.id}`, { trigger_callbacks: false });
    await world.move({ port: 6_000 });
    await world.service.restart();
    await world.advance(10_000);
    await world.settle();
    expect(await world.runs()).toEqual([]);
  });

  test("can be run now, with the live mapping, also when they are off; not tried again", async () => {
    const { task } = await world.openTask({ enabled: false });
    world.target.failNext({ status: 503, body: "later" });
    const { status, body } = await world.ask("POST", `${TASKS}/${task}/run`);
    expect([status, body.run]).toEqual([
      202,
      expect.objectContaining({ trigger: "manual", status: "queued", public_port: 5_000 }),
    ]);
    await world.settle();
    expect(await world.lastRun()).toMatchObject({
      status: "failed",
      http_status: 503,
      response_body: "later",
      attempt_count: 1,
      previous_ip: null,
    });
    await world.ask("POST", `${TASKS}/${task}/run`);
    await world.settle();
    expect((await world.runs()).map((run) => run.status)).toEqual(["succeeded", "failed"]);
    const sent = world.target.received.map(
      ({ body: text }) => JSON.parse(text.toString()) as object,
    );
    expect(sent[1]).toMatchObject({ event: "manual", changed: "", previous_ip: null });
  });

  test("cannot be run without a live mapping", async () => {
    const { rule, task } = await world.openTask();
    await world.ask("PUT", `/api/stun/rules/${rule.id}`, { enabled: false });
    for (const query of ["", "?dry_run=true"]) {
      const { status, body } = await world.ask("POST", `${TASKS}/${task}/run${query}`);
      expect([status, body.code]).toEqual([409, "conflict"]);
      expect(body.error).toContain("its status is disabled");
    }
    expect(await world.runs()).toEqual([]);
  });

  test("can be run dry: nothing is sent, and it enters no history", async () => {
    const { task } = await world.openTask();
    const { status, body } = await world.ask("POST", `${TASKS}/${task}/run?dry_run=true`);
    expect(status).toBe(200);
    expect(body.dry_run).toMatchObject({ changed: true, before: null, after: { method: "POST" } });
    expect(JSON.parse(body.dry_run.after.body as string)).toMatchObject({ public_port: 5_000 });
    expect(world.target.received).toEqual([]);
    expect(await world.runs()).toEqual([]);
  });

  test("that are switched off or deleted have nothing left that waits", async () => {
    const { rule, task } = await world.openTask();
    const account_id = await world.addAccount({ name: "second" });
    const second = await world.addTask({ name: "second", stun_rule_id: rule.id, account_id });
    world.target.failNext({ status: 500 }, { status: 500 });
    await world.move({ port: 6_000 });
    expect((await world.runs("?status=retrying")).length).toBe(2);
    await world.ask("PUT", `${TASKS}/${task}`, { enabled: false });
    await world.ask("DELETE", `${TASKS}/${second}`);
    const errors = (await world.runs("?status=cancelled")).map((run) => [run.task_name, run.error]);
    expect(errors).toEqual([
      ["second", "The task was deleted"],
      ["task", "The task was switched off"],
    ]);
    await world.advance(60_000);
    await world.settle();
    expect(world.target.received).toHaveLength(2);
  });

  test("send what waits to the account that they are given", async () => {
    const { task } = await world.openTask();
    world.target.failNext({ status: 500 });
    await world.move({ port: 6_000 });
    const account_id = await world.addAccount({
      name: "better",
      config: { url: `${world.target.url}/better` },
    });
    await world.ask("PUT", `${TASKS}/${task}`, { account_id });
    await world.advance(5_000);
    await world.settle();
    expect(await world.lastRun()).toMatchObject({ status: "succeeded", account_name: "better" });
    expect(world.target.received.at(-1)?.url.pathname).toBe("/better");
  });
});

describeOnBothDatabases("a node of the registry", (context) => {
  let world: CallbackWorld;
  beforeEach(async () => {
    world = await CallbackWorld.start(context);
  });
  afterEach(() => world.stop());

  test("is kept in step, in turn with its owner's changes, and that is in the audit log", async () => {
    const owner = await join(world.service, "ann@example.com");
    const kept = { type: "TCP", ip: "192.0.2.1", port: 11_010 };
    const { id } = await createNode(world.service, owner, { connections: [kept] });
    const rule = await world.openRule();
    const fields = { name: "node", type: "registry_node" };
    const account_id = (
      await world.expect<{ id: number }>(
        201,
        "account",
        world.ask("POST", "/api/callbacks/accounts", { ...fields, config: { node_id: id } }),
      )
    ).id;
    const task = await world.addTask({ stun_rule_id: rule.id, account_id });
    const dry = await world.ask("POST", `${TASKS}/${task}/run?dry_run=true`);
    const udp = { type: "UDP", ip: "203.0.113.7", port: 5_000 };
    expect(dry.body.dry_run).toEqual({ changed: true, before: [kept], after: [kept, udp] });

    const connections = async () =>
      (await world.service.request("GET", `/api/nodes/${id}`, { token: owner })).body.node
        .connections as object[];
    await world.move({ port: 6_000 });
    expect(await connections()).toEqual([kept, { ...udp, port: 6_000 }]);
    await world.move({ address: "203.0.113.9", port: 6_001 });
    expect(await connections()).toEqual([kept, { type: "UDP", ip: "203.0.113.9", port: 6_001 }]);
    await world.ask("POST", `${TASKS}/${task}/run`);
    await world.settle();
    expect((await world.runs()).map((run) => run.status)).toEqual([
      "skipped",
      "succeeded",
      "succeeded",
    ]);
    const { entries } = (await world.ask("GET", "/api/admin/audit")).body;
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: "node.update",
        subject: `node:${id}`,
        actor: "callback of home",
        actor_id: null,
      }),
    );
    await world.service.request("DELETE", `/api/nodes/${id}`, { token: owner });
    await world.move({ port: 6_002 });
    expect(await world.lastRun()).toMatchObject({
      status: "failed",
      error: `There is no node ${id} any more`,
    });
  });

  test("must exist, and a transport must be one", async () => {
    const config = { node_id: 999, transport: "pigeon" };
    const body = { name: "node", type: "registry_node", config };
    const answer = await world.ask("POST", "/api/callbacks/accounts", body);
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      [
        { path: "config.node_id", message: "is the id of no node" },
        { path: "config.transport", message: "must be one of TCP, UDP, WS, WSS, WG, QUIC" },
      ],
    ]);
  });
});
