import { afterAll, beforeAll, expect, test } from "vitest";
import { join } from "../support/accounts.ts";
import type { Answer } from "../support/client.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { exchange } from "../support/raw-connection.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";
const connections = [
  { type: "TCP", ip: "203.0.113.7", port: 11010 },
  { type: "WSS", ip: "node.example.org", port: 443 },
];

describeOnBothDatabases("GET /connect", ({ start }) => {
  let service: TestService;
  /** What was answered before there was a node. */
  let none: Answer;
  const get = (query = "", headers: Record<string, string> = {}) =>
    service.request("GET", `/connect${query}`, { headers });

  beforeAll(async () => {
    service = await start();
    const session = await join(service, OWNER);
    none = await get();
    const node = await createNode(service, session, { connections, max_connections: 100 });
    await sendReport(service, OWNER, node);
    const six = [{ type: "udp", ip: "2001:db8::7", port: 11010 }];
    const other = await createNode(service, session, {
      node_name: "six",
      region_type: "overseas",
      connections: six,
      max_connections: 100,
    });
    await sendReport(service, OWNER, other);
  });
  afterAll(() => service.stop());

  test("says when to come back while there is no node", () => {
    expect([none.status, none.body.code]).toEqual([503, "no_eligible_node"]);
    expect(Number(none.headers["retry-after"])).toBeGreaterThan(0);
  });

  test("answers one peer URL and a line end, drawn anew each time", async () => {
    const seen = new Set<string>();
    for (let time = 0; time < 40; time++) {
      const answer = await get();
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers["access-control-allow-origin"]).toBe("*");
      seen.add(answer.body as string);
    }
    expect([...seen].toSorted()).toEqual([
      "tcp://203.0.113.7:11010\n",
      "udp://[2001:db8::7]:11010\n",
    ]);
  });

  test("keeps to one node for a network, and says for whom and how long the answer holds", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => get("", { "X-Network-Name": "home" })),
    );
    expect(new Set(answers.map((each) => each.body)).size).toBe(1);
    expect(answers[0]?.headers["cache-control"]).toBe("public, max-age=10");
    expect(answers[0]?.headers["vary"]).toBe("X-Network-Name");
    const others = await Promise.all(
      Array.from({ length: 30 }, (_, n) => get("", { "X-Network-Name": `réseau ${n}` })),
    );
    expect(new Set(others.map((each) => each.body)).size).toBe(2);
  });

  test("redirects when asked to, to a URL that is no web address", async () => {
    const answer = await get("?redirect=1&region=domestic", { "X-Network-Name": "home" });
    expect(answer.status).toBe(302);
    expect(answer.headers["location"]).toBe("tcp://203.0.113.7:11010");
    expect((await get("?redirect=0")).status).toBe(200);
  });

  test("takes the filters of the query", async () => {
    expect((await get("?region=overseas")).body).toBe("udp://[2001:db8::7]:11010\n");
    expect((await get("?transport=wss")).body).toBe("wss://node.example.org:443\n");
    expect((await get("?transport=wss", { "X-Network-Name": "a" })).body).toContain("wss:");
    expect((await get("?relay_only=1")).status).toBe(503);
    expect((await get("?tag=none")).status).toBe(503);
    expect((await get("?exclude=1")).body).toBe("udp://[2001:db8::7]:11010\n");
    expect((await get("?exclude=1,2")).status).toBe(503);
    expect((await get("?unknown=1")).status).toBe(200);
  });

  test.each([
    ["?region=mars", "region"],
    ["?priority=speed", "priority"],
    ["?relay_only=perhaps", "relay_only"],
    ["?redirect=constructor", "redirect"],
    ["?transport=pigeon", "transport"],
    ["?exclude=1,,2", "exclude"],
    ["?exclude=0", "exclude"],
    ["?region=all&region=domestic", "region"],
  ])("refuses %s and names the parameter", async (query, path) => {
    const answer = await get(query);
    expect(answer.status).toBe(400);
    expect(answer.body.fields[0].path).toMatch(new RegExp(`^${path}`));
  });

  test("gives the router's answer and the short way's alike", async () => {
    const head =
      "GET /connect HTTP/1.1\r\nHost: waypost\r\nX-Network-Name: home\r\nConnection: close\r\n";
    const plain = await exchange(service.origin, `${head}\r\n`);
    const unusual = await exchange(service.origin, `${head.replace("/connect", "/connect/")}\r\n`);
    expect(plain.status).toBe(200);
    expect([unusual.status, unusual.body]).toEqual([200, plain.body]);
    const { date: _d, "x-request-id": _r, ...short } = plain.headers;
    const { date: _e, "x-request-id": _q, ...routed } = unusual.headers;
    expect(Object.keys(short).toSorted()).toEqual(Object.keys(routed).toSorted());
  });

  test("tells browsers of other origins that the header may be sent", async () => {
    const answer = await service.request("OPTIONS", "/connect");
    expect(answer.headers["access-control-allow-headers"]).toContain("X-Network-Name");
  });
});
