import { afterEach, describe, expect, test } from "vitest";
import { idOf, join, setUp } from "../support/accounts.ts";
import { CallbackWorld } from "../support/callback-world.ts";
import { EventReader } from "../support/event-reader.ts";
import { createRule, getRule } from "../support/rules.ts";
import {
  describeOnBothDatabases,
  type TestService,
  type TestServiceOptions,
} from "../support/service.ts";

describeOnBothDatabases("Events", (context) => {
  describe("of rules and runs", () => {
    let world: CallbackWorld;
    const begin = async () => {
      world = await CallbackWorld.start(context, { events: { rulesMs: 20 } });
      return EventReader.open(world.service, world.token);
    };
    afterEach(() => world.stop());

    test("show a rule when it is made, changed and deleted", async () => {
      const reader = await begin();
      const { id } = await createRule(world.service, world.token);
      await reader.find("stun_rule", (rule) => rule.id === id);
      await world.advance(1_000);
      const open = await reader.find("stun_rule", (rule) => rule.state.status === "open");
      expect(open.state.public_port).toBe(5_000);
      expect(open).toEqual(await getRule(world.service, world.token, id));
      await world.ask("PUT", `/api/stun/rules/${id}`, { name: "renamed" });
      await reader.find("stun_rule", (rule) => rule.name === "renamed");
      await world.ask("PUT", `/api/stun/rules/${id}`, { enabled: false });
      await reader.find("stun_rule", (rule) => rule.state.status === "disabled");
      await world.ask("DELETE", `/api/stun/rules/${id}`);
      expect(await reader.find("stun_rule_removed")).toEqual({ id });
    });

    test("show a change as it is listed, and the rule with its new address", async () => {
      const reader = await begin();
      const { id } = await world.openRule();
      await world.moveQuietly({ address: "203.0.113.8", port: 6_000 });
      const change = await reader.find("stun_change", (each) => each.previous_ip !== null);
      const listed = await world.ask("GET", `/api/stun/rules/${id}/changes`);
      expect(listed.body.changes[0]).toEqual(change);
      expect(change).toMatchObject({ rule_id: id, changed: ["ip", "port"] });
      const shown = reader.find("stun_rule", (rule) => rule.state.public_port === 6_000);
      expect(await shown).toMatchObject({
        id,
        state: { public_ip: "203.0.113.8" },
      });
    });

    test("show a run as it is listed, whenever its status is another", async () => {
      const reader = await begin();
      const { task } = await world.openTask();
      world.target.failNext({ status: 500, body: "not now" });
      await world.move({ port: 6_000 });
      const retrying = await reader.find("callback_run", (run) => run.status === "retrying");
      expect(retrying).toMatchObject({ task_id: task, attempt_count: 1, http_status: 500 });
      const cancelled = await world.ask("POST", `/api/callbacks/runs/${retrying.id}/cancel`, {});
      expect(cancelled.status).toBe(200);
      expect(await reader.find("callback_run", (run) => run.status === "cancelled")).toEqual(
        cancelled.body.run,
      );
      await world.ask("POST", `/api/callbacks/tasks/${task}/run`, {});
      await world.settle();
      const done = await reader.find("callback_run", (run) => run.status === "succeeded");
      expect([done]).toEqual(await world.runs("?limit=1"));
      expect(done.trigger).toBe("manual");
    });

    test("tell nothing of what was before", async () => {
      const first = await begin();
      await world.openTask();
      await world.move({ port: 6_000 });
      await first.find("callback_run", (run) => run.status === "succeeded");
      const second = await EventReader.open(world.service, world.token, { "last-event-id": "1" });
      await world.ask("POST", "/api/stun/rules", { name: "second", transport: "udp" });
      await second.find("stun_rule", (rule) => rule.name === "second");
      expect(second.of("callback_run")).toEqual([]);
      expect(second.of("stun_change")).toEqual([]);
    });
  });

  describe("have readers", () => {
    let service: TestService;
    let token: string;
    const begin = async (options: Omit<TestServiceOptions, "dialect"> = {}) => {
      service = await context.start({
        env: { METRICS_TOKEN: "metrics", STUN_SERVERS: "198.51.100.1:3478" },
        ...options,
      });
      token = await setUp(service);
    };
    afterEach(() => service.stop());
    const status = async (as?: string) =>
      (await service.request("GET", "/api/events", as === undefined ? {} : { token: as })).status;
    const gauge = async () => {
      const { body } = await service.request("GET", "/metrics", { token: "metrics" });
      return /^waypost_event_streams (\d+)$/m.exec(body as string)?.[1];
    };

    test("who are administrators", async () => {
      await begin();
      expect(await status()).toBe(401);
      expect(await status(await join(service, "user@example.com"))).toBe(403);
      expect(await gauge()).toBe("0");
    });

    test("who ask for the headers alone take nobody's place", async () => {
      await begin();
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${service.origin}/api/events`, { method: "HEAD", headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/event-stream");
      await expect.poll(gauge).toBe("0");
    });

    test("whose proxies are told to pass each event on at once", async () => {
      await begin();
      const { response } = await EventReader.open(service, token, {
        "accept-encoding": "gzip, br",
      });
      expect(response.headers).toMatchObject({
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
        "x-content-type-options": "nosniff",
        "x-request-id": expect.any(String) as unknown,
      });
      expect(response.headers).not.toHaveProperty("content-encoding");
      expect(response.headers).not.toHaveProperty("content-length");
    });

    test("as many as there may be, and again when one has gone", async () => {
      await begin({ events: { streams: 2 } });
      const readers = [
        await EventReader.open(service, token),
        await EventReader.open(service, token),
      ];
      expect(await gauge()).toBe("2");
      const refused = await service.request("GET", "/api/events", { token });
      expect(refused).toMatchObject({ status: 503, body: { code: "overloaded" } });
      expect(refused.headers["retry-after"]).toBe("3");
      readers[0]?.close();
      await expect.poll(gauge).toBe("1");
      const another = await EventReader.open(service, token);
      expect(await gauge()).toBe("2");
      another.close();
    });

    test("who hear that the stream lives, for longer than any other request may last", async () => {
      const ms = 1_000;
      const patience = { headersMs: ms, requestMs: ms, idleMs: ms, silenceMs: ms, checkMs: 20 };
      await begin({ http: { patience }, events: { heartbeatMs: 100 } });
      const reader = await EventReader.open(service, token);
      await reader.until(() => reader.comments >= 20);
      const { id } = await createRule(service, token);
      expect((await reader.find("stun_rule")).id).toBe(id);
    });

    test("whose stream ends with their session", async () => {
      await begin({ events: { sessionsMs: 20 } });
      const other = await join(service, "other@example.com");
      const path = `/api/admin/users/${await idOf(service, token, "other@example.com")}`;
      await service.request("PUT", path, { token, body: { is_admin: true } });
      const demoted = await EventReader.open(service, other);
      const staying = await EventReader.open(service, token);
      await service.request("PUT", path, { token, body: { is_admin: false } });
      expect(await demoted.ended()).toBe("orderly");
      expect(staying.end).toBeUndefined();
      service.clock.advance(25 * 3_600_000);
      expect(await staying.ended()).toBe("orderly");
    });

    test("whose stream ends with the service, at once and in order", async () => {
      await begin();
      const reader = await EventReader.open(service, token);
      const stopped = service.service.stop();
      expect(await reader.ended()).toBe("orderly");
      await stopped;
    });
  });
});
