import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holeTransports, type RuleStatus } from "../../src/shared/api/stun.ts";
import { setUp } from "../support/accounts.ts";
import { createRule, getRule } from "../support/rules.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { StunServer, success } from "../support/stun-server.ts";

describe("a rule with real sockets", () => {
  let servers: StunServer[];
  let service: TestService;
  let token: string;
  beforeEach(async () => {
    servers = [await StunServer.start(), await StunServer.start()];
    const names = servers.map(({ endpoint }) => `${endpoint.address}:${endpoint.port}`);
    service = await startTestService({ env: { STUN_SERVERS: names.join(",") }, stun: {} });
    token = await setUp(service);
  });
  afterEach(async () => {
    await service.stop();
    for (const server of servers) await server.stop();
  });

  /** Waits until the rule has this status. */
  async function reaches(id: number, status: RuleStatus): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (service.service.stun.watcher.stateOf(id)?.status === status) resolve();
    };
    const end = service.service.stun.service.subscribe(look);
    look();
    await promise;
    end();
  }

  async function nextChange(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = service.service.stun.service.subscribe(({ kind }) => {
      if (kind === "change") resolve();
    });
    await promise;
    end();
  }

  const changesOf = async (id: number) => {
    const { body } = await service.request("GET", `/api/stun/rules/${id}/changes`, { token });
    return body.changes as { public_port: number; changed: string[] }[];
  };

  test.for(holeTransports)(
    "over %s keeps its port, sees changes, survives a restart",
    async (transport) => {
      // One that cannot be reached is no reason to have no hole.
      const held = transport === "tcp" ? { keepalive_hosts: ["127.0.0.1:1"] } : {};
      const { id } = await createRule(service, token, {
        transport,
        probe_interval_seconds: 1,
        settle_seconds: 0,
        ...held,
      });
      await reaches(id, "open");
      const { state } = await getRule(service, token, id);
      expect(state).toMatchObject({ public_ip: "127.0.0.1", public_port: state.local_port });
      const probe = await service.request("POST", `/api/stun/rules/${id}/probe`, { token });
      expect(probe.body.observation).toMatchObject({ public_port: state.local_port, error: null });

      const changed = nextChange();
      for (const server of servers) server.answer = ({ id: of }) => [success(of, "192.0.2.1", 99)];
      await changed;
      expect(await changesOf(id)).toMatchObject([
        { public_ip: "192.0.2.1", public_port: 99, changed: ["ip", "port"] },
        { public_ip: "127.0.0.1", public_port: state.local_port, changed: [] },
      ]);
      const seen = servers.flatMap((each) => each.requests.map((request) => request.port));
      expect(new Set(seen)).toEqual(new Set([state.local_port]));

      await service.restart();
      await reaches(id, "open");
      expect((await getRule(service, token, id)).state).toMatchObject({
        public_ip: "192.0.2.1",
        local_port: state.local_port,
      });
      expect(await changesOf(id)).toHaveLength(2);
    },
  );

  test("is refused a port that is used and an address that is not ours", async () => {
    const other = createSocket("udp4");
    other.bind(0, "127.0.0.1");
    await once(other, "listening");
    const body = { name: "home", transport: "udp", local_address: "127.0.0.1" };
    const inUse = await service.request("POST", "/api/stun/rules", {
      token,
      body: { ...body, local_port: other.address().port },
    });
    other.close();
    expect([inUse.status, inUse.body.fields?.[0].path]).toEqual([400, "local_port"]);
    const elsewhere = await service.request("POST", "/api/stun/rules", {
      token,
      body: { ...body, local_address: "192.0.2.1" },
    });
    expect([elsewhere.status, elsewhere.body.fields?.[0].path]).toEqual([400, "local_address"]);
  });
});
