import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { join } from "../support/accounts.ts";
import { check, checkBatch, NETWORK_SECRET, nodeOf } from "../support/checks.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { OverlayPeer } from "../support/overlay-peer.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";
const NETWORK = { name: "net", secret: NETWORK_SECRET };

/** The connections of a node that listens on this machine. */
const at = (port: number) => [{ type: "TCP", ip: "127.0.0.1", port }];

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

describeOnBothDatabases("a check", (context) => {
  let service: TestService;
  let peer: OverlayPeer;
  let closed: number;
  let session: string;

  beforeAll(async () => {
    service = await context.start();
    peer = await OverlayPeer.listen({ network: NETWORK });
    closed = await closedPort();
    session = await join(service, OWNER);
  });
  afterAll(async () => {
    await peer.close();
    await service.stop();
  });

  test("of a node that is up says so, with the time and the handshake", async () => {
    const answer = await check(service, nodeOf(peer.address));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      is_online: true,
      connection_count: 0,
      latency_ms: expect.any(Number) as number,
      check_time: new Date(service.clock.now()).toISOString(),
      handshake: "ok",
    });
    expect(answer.body.latency_ms).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(answer.body.latency_ms)).toBe(true);
  });

  test("of a node that is down says why", async () => {
    const answer = await check(service, nodeOf(`tcp://127.0.0.1:${closed}`));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      is_online: false,
      connection_count: 0,
      latency_ms: -1,
      check_time: new Date(service.clock.now()).toISOString(),
      error: "Connection refused",
    });
  });

  test("with a wrong secret finds the node online all the same", async () => {
    const node = { ...nodeOf(peer.address), network_secret: "" };
    const { body } = await check(service, node);
    expect(body).toMatchObject({ is_online: true, handshake: "auth_failed" });
  });

  test.each(["tcp", "ws", "wss"] as const)("speaks %s", async (transport) => {
    const other = await OverlayPeer.listen({ network: NETWORK, transport });
    const { body } = await check(service, nodeOf(other.address));
    await other.close();
    expect(body).toMatchObject({ is_online: true, handshake: "ok" });
  });

  test("of something else that listens says that it is no overlay node", async () => {
    const { body } = await check(service, nodeOf(service.origin.replace("http:", "tcp:")));
    expect(body).toMatchObject({ is_online: true, handshake: "not_overlay" });
  });

  test("fields beyond the contract are ignored", async () => {
    const answer = await check(service, { ...nodeOf(peer.address), more: "1" });
    expect(answer.status).toBe(200);
    const batch = await checkBatch(service, [{ ...nodeOf(peer.address), more: 1 }]);
    expect(batch.status).toBe(200);
  });

  describe("knows the connections of", () => {
    test("the registered node with this address, while it is online", async () => {
      const node = await createNode(service, session, {
        node_name: "counted",
        connections: [...at(peer.port), { type: "wss", ip: "2001:DB8::1", port: 443 }],
      });
      const count = async () =>
        (await check(service, nodeOf(peer.address))).body.connection_count as number;
      expect(await count()).toBe(0);
      await sendReport(service, OWNER, node, { connection_count: 17 });
      expect(await count()).toBe(17);
      const other = await OverlayPeer.listen({ transport: "ws" });
      expect((await check(service, nodeOf(other.address))).body.connection_count).toBe(0);
      await other.close();
      await sendReport(service, OWNER, node, { connection_count: 3, status: "busy" });
      expect(await count()).toBe(3);
      await service.request("PUT", `/api/nodes/${node.id}`, {
        token: session,
        body: { connections: at(closed) },
      });
      expect(await count()).toBe(0);
      const down = await check(service, nodeOf(`tcp://127.0.0.1:${closed}`));
      expect(down.body).toMatchObject({ is_online: false, connection_count: 0 });
    });

    test("the one of several that has reported last, after a restart, too", async () => {
      const fields = { connections: at(peer.port) };
      const first = await createNode(service, session, { ...fields, node_name: "first" });
      const second = await createNode(service, session, { ...fields, node_name: "second" });
      const count = async () =>
        (await check(service, nodeOf(`tcp://[::ffff:127.0.0.1]:${peer.port}`))).body;
      const plain = async () =>
        (await check(service, nodeOf(peer.address))).body.connection_count as number;
      await sendReport(service, OWNER, second, { connection_count: 2 });
      service.clock.advance(1000);
      await sendReport(service, OWNER, first, { connection_count: 1 });
      expect(await plain()).toBe(1);
      service.clock.advance(1000);
      await sendReport(service, OWNER, second, { connection_count: 5 });
      expect(await plain()).toBe(5);
      // The node is not registered under this spelling.
      expect(await count()).toMatchObject({ is_online: true, connection_count: 0 });
      await service.restart();
      expect(await plain()).toBe(5);
      await service.request("DELETE", `/api/nodes/${second.id}`, { token: session });
      expect(await plain()).toBe(1);
    });

    test("a name in any spelling", async () => {
      const node = await createNode(service, session, {
        node_name: "named",
        connections: [{ type: "TCP", ip: "LocalHost.", port: peer.port }],
      });
      await sendReport(service, OWNER, node, { connection_count: 9 });
      for (const host of ["localhost", "LOCALHOST.", "localHost"]) {
        const { body } = await check(service, nodeOf(`tcp://${host}:${peer.port}`));
        expect(body).toMatchObject({ is_online: true, connection_count: 9 });
      }
    });
  });

  describe("is refused when", () => {
    const good = nodeOf("tcp://127.0.0.1:1");
    const serverMessage = expect.stringContaining("must be tcp://<host>:<port>") as string;

    test.each<[string, Record<string, string>, string[]]>([
      ["everything is missing", {}, ["server", "network_name", "network_secret"]],
      ["the server is missing", { network_name: "a", network_secret: "b" }, ["server"]],
      ["the name is missing", { server: good.server, network_secret: "b" }, ["network_name"]],
      ["the secret is missing", { server: good.server, network_name: "a" }, ["network_secret"]],
      ["the name is empty", { ...good, network_name: "" }, ["network_name"]],
      ["the server is empty", { ...good, server: "" }, ["server"]],
      ["the name is too long", { ...good, network_name: "x".repeat(257) }, ["network_name"]],
      ["the secret is too long", { ...good, network_secret: "x".repeat(1025) }, ["network_secret"]],
      ["the server is too long", { ...good, server: `tcp://${"a.".repeat(300)}a:1` }, ["server"]],
      ["the name holds a NUL", { ...good, network_name: "a\0b" }, ["network_name"]],
    ])("%s", async (_, query, paths) => {
      const answer = await check(service, query);
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe("invalid_request");
      expect(answer.body.fields.map(({ path }: { path: string }) => path)).toEqual(paths);
    });

    test.each([
      "127.0.0.1:1",
      "tcp://127.0.0.1",
      "tcp://127.0.0.1:0",
      "tcp://127.0.0.1:65536",
      "tcp://127.0.0.1:1/path",
      "tcp://user@127.0.0.1:1",
      "tcp://127.0.0.1:1?a=b",
      "tcp://127.0.0.1:1#a",
      "tcp://[::1:1",
      "tcp://::1:1",
      "tcp://:1",
      "udp://127.0.0.1:1",
      "http://127.0.0.1:1",
      "tcp:127.0.0.1:1",
      "tcp://127.0.0.1 :1",
      "tcp://a_b:1",
      "tcp://256.1.1.1:1",
    ])("the server is %j", async (server) => {
      const answer = await check(service, { ...good, server });
      expect(answer.status).toBe(400);
      expect(answer.body.fields).toEqual([{ path: "server", message: serverMessage }]);
      const batch = await checkBatch(service, [good, good, good, { ...good, server }, good]);
      expect(batch.status).toBe(400);
      expect(batch.body.fields).toEqual([{ path: "nodes.3.server", message: serverMessage }]);
    });

    test("a parameter is given twice", async () => {
      for (const name of ["server", "network_name", "network_secret"]) {
        const query = new URLSearchParams([...Object.entries(good), [name, "again"]]);
        const answer = await service.request("GET", `/api/edgecheck/check?${query.toString()}`);
        expect(answer.status).toBe(400);
        expect(answer.body.fields).toEqual([{ path: name, message: "must be given only once" }]);
      }
    });
  });

  describe("in a batch", () => {
    test("comes back in the order of the request", async () => {
      const up = nodeOf(peer.address);
      const down = nodeOf(`tcp://127.0.0.1:${closed}`);
      const answer = await checkBatch(service, [down, up, up, down]);
      expect(answer.status).toBe(200);
      const results = answer.body.results as { is_online: boolean }[];
      expect(results.map((each) => each.is_online)).toEqual([false, true, true, false]);
    });

    test("may be one of 1 to 20", async () => {
      const down = nodeOf(`tcp://127.0.0.1:${closed}`);
      const nodes = (count: number) => Array.from({ length: count }, () => down);
      for (const count of [1, 20]) {
        const { status, body } = await checkBatch(service, nodes(count));
        expect(status).toBe(200);
        expect(body.results).toHaveLength(count);
      }
      for (const count of [0, 21]) {
        const { status, body } = await checkBatch(service, nodes(count));
        expect(status).toBe(400);
        expect(body.fields[0].path).toBe("nodes");
      }
    });

    test.each<[string, unknown, string]>([
      ["no body", undefined, ""],
      ["no list", {}, "nodes"],
      ["another thing for a list", { nodes: { 0: {} } }, "nodes"],
      ["null for a list", { nodes: null }, "nodes"],
      ["text for a node", { nodes: ["tcp://127.0.0.1:1"] }, "nodes.0"],
      [
        "a lacking name",
        { nodes: [{ server: "tcp://127.0.0.1:1", network_secret: "" }] },
        "nodes.0.network_name",
      ],
      [
        "a number for a secret",
        { nodes: [{ ...nodeOf("tcp://127.0.0.1:1"), network_secret: 1 }] },
        "nodes.0.network_secret",
      ],
      [
        "an empty name",
        { nodes: [{ ...nodeOf("tcp://127.0.0.1:1"), network_name: "" }] },
        "nodes.0.network_name",
      ],
    ])("is refused with %s", async (_, body, path) => {
      const answer = await service.request("POST", "/api/edgecheck/batch-check", { body });
      expect(answer.status).toBe(400);
      expect(answer.body.fields[0].path).toBe(path);
    });

    test("is not done at all when one node is wrong", async () => {
      const before = peer.connectionCount;
      const up = nodeOf(peer.address);
      const answer = await checkBatch(service, [
        up,
        up,
        { ...up, server: "nowhere" },
        { ...up, server: "" },
      ]);
      expect(answer.status).toBe(400);
      expect(peer.connectionCount).toBe(before);
    });

    test("is no JSON, or has another type", async () => {
      const path = "/api/edgecheck/batch-check";
      expect((await service.request("POST", path, { raw: "{" })).status).toBe(400);
      const headers = { "content-type": "text/plain" };
      expect((await service.request("POST", path, { raw: "{}", headers })).status).toBe(415);
      expect((await service.request("GET", path)).status).toBe(405);
    });
  });

  test("is done by the service itself, says the health", async () => {
    const answer = await service.request("GET", "/api/edgecheck/health");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: "ok",
      service: "waypost-edgecheck",
      mode: "local",
      timestamp: new Date(service.clock.now()).toISOString(),
    });
  });

  test("is for no page of another site", async () => {
    const headers = { origin: "https://example.org" };
    const answer = await check(service, nodeOf(peer.address), { headers });
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect(answer.headers["cache-control"]).toBe("no-store");
  });
});
