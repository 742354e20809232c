import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { join } from "../support/accounts.ts";
import { FakeCheckFunction } from "../support/check-function.ts";
import { check, checkBatch, NETWORK_SECRET, nodeOf } from "../support/checks.ts";
import { createNode } from "../support/nodes.ts";
import { OverlayPeer } from "../support/overlay-peer.ts";
import { exchange } from "../support/raw-connection.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";
import { storedText } from "../support/stored-text.ts";

const NETWORK = "name-of-the-network";
const KEY = "key-of-the-checks";
const REMOTE_KEY = "key-of-the-function";

describeOnBothDatabases("the secret of a network and the keys of the checks", (context) => {
  let peer: OverlayPeer;
  let broken: FakeCheckFunction;
  let services: TestService[];
  const said: string[] = [];

  /** Everything that is logged is kept, down to the least. */
  const logger = () => pino({ level: "trace" }, { write: (line: string) => void said.push(line) });

  beforeAll(async () => {
    peer = await OverlayPeer.listen();
    broken = await FakeCheckFunction.listen((_, response) => void response.destroy());
    const env = { CHECK_API_KEY: KEY, RATE_LIMIT: "on" };
    const sockets = {
      connect: () => Promise.reject(new Error("there are no sockets left")),
    };
    services = [
      await context.start({ env, logger: logger() }),
      await context.start({ env, logger: logger(), checks: { sockets } }),
      await context.start({
        env: { ...env, CHECK_REMOTE_URL: broken.origin, CHECK_REMOTE_KEY: REMOTE_KEY },
        logger: logger(),
      }),
    ];
  });
  afterAll(async () => {
    await broken.close();
    await peer.close();
  });

  test("are in no log, no answer, no metric and no storage, whatever happens", async () => {
    const node = { ...nodeOf(peer.address), network_name: NETWORK };
    const query = new URLSearchParams(node).toString();
    const headers = { "x-api-key": KEY };
    const statuses = new Set<number>();
    for (const service of services) {
      const session = await join(service, "owner@example.com");
      const port = { type: "TCP", ip: "127.0.0.1", port: peer.port };
      await createNode(service, session, { connections: [port] });
      const answers = [
        await check(service, node, { headers }),
        await checkBatch(service, [node, node], { headers }),
        await check(service, node),
        await check(service, { ...node, server: "nowhere" }, { headers }),
        await checkBatch(service, [{ ...node, server: NETWORK_SECRET }], { headers }),
        await checkBatch(service, [{ ...node, network_name: 1 }], { headers }),
        await service.request("GET", `/api/edgecheck/check?${query}&${query}`, { headers }),
        await service.request("GET", `/api/edgecheck/check/?${query}`, { headers }),
        await service.request("GET", `/api/edgecheck/check/x?${query}`, { headers }),
        await service.request("GET", `/api/edgecheck/%c0?${query}`, { headers }),
        await service.request("POST", `/api/edgecheck/check?${query}`, { headers, raw: "{" }),
        await service.request("DELETE", `/api/edgecheck/check?${query}`, { headers }),
        await service.request("GET", `/api/edgecheck/check?${query}&a=%00%ff`, { headers }),
        await service.request("GET", "/api/edgecheck/health", { headers }),
        await checkBatch(
          service,
          Array.from({ length: 20 }, () => node),
          { headers },
        ),
        await checkBatch(
          service,
          Array.from({ length: 20 }, () => node),
          { headers },
        ),
      ];
      for (const { status } of answers) statuses.add(status);
      const raw = `GET /api/edgecheck/check?${query} HTTP/1.1\r\n`;
      const cutOff = [
        await exchange(service.origin, `${raw}Connection: close\r\n\r\n`),
        await exchange(service.origin, `${raw}Host: a\r\nX-Big: ${"x".repeat(17_000)}\r\n\r\n`),
        await exchange(service.origin, `${raw}Host: a\r\nX API: 1\r\n\r\n`),
      ];
      const metrics = await service.request("GET", "/metrics");
      said.push(JSON.stringify([answers, cutOff, metrics]), await storedText(service.config));
      await service.stop();
    }
    // Each way an answer can go was taken, and something was logged.
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 400, 401, 404, 405, 429, 500]);
    const everything = said.join("\n");
    expect(everything).toContain("there are no sockets left");
    expect(everything).toContain("check_function_unreachable");
    const words = [NETWORK_SECRET, NETWORK, KEY, REMOTE_KEY];
    expect(words.filter((word) => everything.includes(word))).toEqual([]);
  });
});
