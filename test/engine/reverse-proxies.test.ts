import { once } from "node:events";
import { request as plainRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as secureRequest } from "node:https";
import { createServer, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { setUp } from "../support/accounts.ts";
import { until } from "../support/instance-group.ts";
import { startCaddy, startNginx, type ReverseProxy } from "../support/reverse-proxy.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { openSilentPort } from "../support/silent-port.ts";

const proxies = { nginx: startNginx, caddy: startCaddy };
const PUBLIC = "https://waypost.example.org";

describe.each(["nginx", "caddy"] as const)("behind %s", (name) => {
  let services: TestService[] = [];
  let proxy: ReverseProxy | undefined;

  async function open(count = 1, env: Record<string, string> = {}): Promise<TestService> {
    for (let n = 0; n < count; n++) {
      services.push(
        await startTestService({
          env: { TRUST_PROXY: "127.0.0.1", PUBLIC_URL: PUBLIC, ...env },
        }),
      );
    }
    proxy = await proxies[name](services.map(({ origin }) => Number(new URL(origin).port)));
    return services[0] as TestService;
  }
  afterEach(async () => {
    await proxy?.stop();
    for (const service of services) await service.stop();
    services = [];
    proxy = undefined;
  });

  async function call(
    method: string,
    path: string,
    options: RequestOptions = {},
    body?: unknown,
  ): Promise<IncomingMessage> {
    const url = `${proxy?.origin}${path}`;
    const send = url.startsWith("https") ? secureRequest : plainRequest;
    const headers: Record<string, string> = { ...(options.headers as Record<string, string>) };
    if (body !== undefined) headers["content-type"] = "application/json";
    const sent = send(url, { method, headers, rejectUnauthorized: false } as RequestOptions);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return response;
  }

  test("answers come through, with the headers of a public address", async () => {
    await open();
    const answer = await call("GET", "/api/stats");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["strict-transport-security"]).toMatch(/max-age/);
    expect(JSON.parse(await text(answer))).toMatchObject({ total_nodes: 0 });
    const asked = await call("POST", "/api/query", {}, { limit: 2 });
    expect(JSON.parse(await text(asked))).toEqual({ nodes: [] });
    expect((await call("DELETE", "/api/stats")).statusCode).toBe(405);
  });

  test("what a client claims about its address does not lift its limits", async () => {
    await open(1, { RATE_LIMIT: "on" });
    const statuses: (number | undefined)[] = [];
    for (let tries = 0; tries < 20 && statuses.at(-1) !== 429; tries++) {
      const headers = { "x-forwarded-for": `198.51.100.${tries}` };
      const wrong = { email: "nobody@example.org", password: "a wrong password" };
      const answer = await call("POST", "/api/auth/login", { headers }, wrong);
      answer.resume();
      statuses.push(answer.statusCode);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses[0]).toBe(401);
  });

  test("metrics are not for callers that come through the proxy", async () => {
    await open();
    const answer = await call("GET", "/metrics");
    answer.resume();
    expect(answer.statusCode).toBeGreaterThanOrEqual(401);
  });

  test("events arrive as they happen", async () => {
    const service = await open();
    const token = await setUp(service);
    const headers = { authorization: `Bearer ${token}` };
    const stream = await call("GET", "/api/events", { headers });
    expect(stream.headers["content-type"]).toContain("text/event-stream");
    await once(stream, "data");
    stream.destroy();
  });

  test("one of two instances that is gone is left out", async () => {
    await open(2);
    await services[0]?.stop();
    services.shift();
    for (let n = 0; n < 10; n++) {
      const answer = await call("GET", "/api/stats");
      answer.resume();
      expect(answer.statusCode).toBe(200);
    }
  });
});

test("Caddy leaves out an instance whose address is silent before one that is slow", async () => {
  const silent = await openSilentPort();
  const slow = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  await once(slow, "listening");
  const { port } = slow.address() as AddressInfo;
  const proxy = await startCaddy([silent.port, port]);
  const complaints = () => proxy.complaints().filter((line) => line.includes("/readyz"));
  const isOfSlow = (line: string) => line.includes(`127.0.0.1:${port}/`);
  try {
    await until(async () => complaints().some(isOfSlow));
    // Both are looked at together, twice a second: a second time only when it is really sooner.
    expect(complaints().findIndex(isOfSlow)).toBeGreaterThan(1);
  } finally {
    await proxy.stop();
    slow.close();
    await silent.close();
  }
});
