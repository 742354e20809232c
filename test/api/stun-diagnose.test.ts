import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { join, setUp } from "../support/accounts.ts";
import type { Answer } from "../support/client.ts";
import { diagnosedWorld } from "../support/diagnosed-world.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PATH = "/api/stun/diagnose";
const SERVERS = ["one.example:3478", "two.example:3478"];

describe("a diagnosis of the NAT", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService({
      env: { STUN_SERVERS: "own.example:3478,own.example:3478" },
    });
    token = await setUp(service);
  });
  afterAll(() => service.stop());

  const diagnose = (body: unknown, session = token): Promise<Answer> =>
    service.request("POST", PATH, { token: session, body });

  test("says what was found, per server, and what it means", async () => {
    const { status, body } = await diagnose({ transport: "udp", stun_servers: SERVERS });
    expect(status).toBe(200);
    expect(body).toEqual({
      transport: "udp",
      mapping: "endpoint_independent",
      filtering: "endpoint_independent",
      hairpin: true,
      public_ip: "203.0.113.77",
      servers: SERVERS.map((server) => ({
        server,
        rtt_ms: 20,
        public_ip: "203.0.113.77",
        public_port: expect.any(Number),
        error: null,
      })),
      advice: [
        "The public port stays the same whoever you speak to, so that a UDP rule can work.",
        "Everybody is let in while the rule holds the port open.",
      ],
    });
  });

  test("asks the servers of the settings when none are named", async () => {
    for (const stun_servers of [undefined, []]) {
      const { body } = await diagnose({ transport: "tcp", stun_servers });
      expect(body.servers[0].server).toBe("own.example:3478");
      expect(body).toMatchObject({ transport: "tcp", filtering: "unknown" });
    }
  });

  test("is for administrators", async () => {
    const body = { transport: "udp" };
    expect((await service.request("POST", PATH, { body })).status).toBe(401);
    const user = await join(service, "user@example.com");
    expect((await diagnose(body, user)).status).toBe(403);
    expect((await diagnose({}, user)).status).toBe(403);
  });

  test.each([
    [{}, "transport"],
    [{ transport: "sctp" }, "transport"],
    [{ transport: "udp", stun_servers: "one.example:3478" }, "stun_servers"],
    [{ transport: "udp", stun_servers: ["one.example:3478", "one.example"] }, "stun_servers.1"],
    [{ transport: "udp", stun_servers: ["one.example:0"] }, "stun_servers.0"],
    [{ transport: "udp", stun_servers: ["2001:db8::1:3478"] }, "stun_servers.0"],
    [
      { transport: "udp", stun_servers: Array.from({ length: 17 }, () => "a.example:1") },
      "stun_servers",
    ],
    [{ transport: "udp", local_address: "192.0.2.1" }, "local_address"],
  ])("names the field that is wrong: %j", async (body, path) => {
    const answer = await diagnose(body);
    expect(answer.status).toBe(400);
    expect(answer.body.fields.map((each: { path: string }) => each.path)).toContain(path);
  });
});

describe("diagnoses that take their time", () => {
  let service: TestService;
  let token: string;
  let reached: number;
  let release: () => void;
  beforeEach(async () => {
    reached = 0;
    const released = Promise.withResolvers<string[]>();
    release = () => released.resolve([]);
    const diagnosis = {
      ...diagnosedWorld(),
      resolver: {
        resolve: (_name: string, signal: AbortSignal) => {
          reached++;
          signal.addEventListener("abort", release);
          return released.promise;
        },
      },
    };
    service = await startTestService({ diagnosis });
    token = await setUp(service);
  });
  afterEach(() => service.stop());

  const diagnose = () =>
    service.request("POST", PATH, {
      token,
      body: { transport: "udp", stun_servers: ["slow.example:3478"] },
    });

  test("are three at a time, and more are told to come again", async () => {
    const first = Array.from({ length: 3 }, diagnose);
    await expect.poll(() => reached).toBe(3);
    const refused = await diagnose();
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("10");
    release();
    const answers = await Promise.all(first);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[0]?.body.servers[0].error).toBe("slow.example has no IPv4 address");
    expect((await diagnose()).status).toBe(200);
  });

  test("end when the service stops", async () => {
    const asked = diagnose();
    await expect.poll(() => reached).toBe(1);
    const stopped = service.service.stop();
    expect((await asked).status).toBe(503);
    await stopped;
  });
});
