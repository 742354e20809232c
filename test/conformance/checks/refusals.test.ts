import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, checkBatch } from "../../support/checks.ts";
import type { Answer, Client, RequestOptions } from "../../support/client.ts";
import { OverlayPeer } from "../../support/overlay-peer.ts";
import { NETWORK } from "./cases.ts";
import { places, startSetUp, type SetUp } from "./set-ups.ts";

const KEY = "the-key-of-the-checks";

interface Call extends RequestOptions {
  method: string;
  path: string;
}

const node = { server: "tcp://127.0.0.1:1", network_name: "net", network_secret: "" };
const CHECK = "/api/edgecheck/check";
const BATCH = "/api/edgecheck/batch-check";

function single(fields: Record<string, string>): Call {
  return { method: "GET", path: `${CHECK}?${new URLSearchParams(fields).toString()}` };
}
function withServer(server: string): Call {
  return single({ ...node, server });
}
function batch(nodes: unknown): Call {
  return { method: "POST", path: BATCH, body: { nodes } };
}
function raw(text: string | Buffer, headers: Record<string, string> = {}): Call {
  return { method: "POST", path: BATCH, raw: text, headers };
}
function times(count: number, last: object = {}): object[] {
  return Array.from({ length: count }, (_, n) => (n === count - 1 ? { ...node, ...last } : node));
}
const without = (name: keyof typeof node): Record<string, string> =>
  Object.fromEntries(Object.entries(node).filter(([each]) => each !== name));

/** What every place refuses, with the status and the word for it. */
const refusals: readonly [title: string, call: Call, status: number, code: string][] = [
  ["no server", single(without("server")), 400, "invalid_request"],
  ["no network name", single(without("network_name")), 400, "invalid_request"],
  ["no network secret", single(without("network_secret")), 400, "invalid_request"],
  ["nothing at all", single({}), 400, "invalid_request"],
  ["an empty server", withServer(""), 400, "invalid_request"],
  ["an empty network name", single({ ...node, network_name: "" }), 400, "invalid_request"],
  [
    "a long network name",
    single({ ...node, network_name: "n".repeat(257) }),
    400,
    "invalid_request",
  ],
  ["a long secret", single({ ...node, network_secret: "s".repeat(1025) }), 400, "invalid_request"],
  [
    "a server twice",
    { method: "GET", path: `${CHECK}?server=a&server=b&network_name=n&network_secret=` },
    400,
    "invalid_request",
  ],
  ["a name with NUL", single({ ...node, network_name: "a\0" }), 400, "invalid_request"],
  ...[
    "127.0.0.1:1",
    "tcp://127.0.0.1",
    "tcp://127.0.0.1:0",
    "tcp://127.0.0.1:65536",
    "udp://127.0.0.1:1",
    "http://127.0.0.1:1",
    "tcp://user@127.0.0.1:1",
    "tcp://127.0.0.1:1/path",
    "tcp://127.0.0.1:1?query",
    "tcp://::1:1",
    "tcp://[::1:1",
    "tcp://-a-.example:1",
    "tcp:// 127.0.0.1:1",
    "tcp://:1",
    `tcp://${"a".repeat(600)}:1`,
  ].map((server): [string, Call, number, string] => [
    `the server ${server.slice(0, 40)}`,
    withServer(server),
    400,
    "invalid_request",
  ]),
  ["no nodes", batch([]), 400, "invalid_request"],
  ["21 nodes", batch(times(21)), 400, "invalid_request"],
  ["nodes that are no list", batch({}), 400, "invalid_request"],
  ["a node that is none", batch([null]), 400, "invalid_request"],
  ["a node without a secret", batch([node, without("network_secret")]), 400, "invalid_request"],
  ["a number for a name", batch(times(2, { network_name: 1 })), 400, "invalid_request"],
  ["one bad server among 20", batch(times(20, { server: "tcp://x" })), 400, "invalid_request"],
  [
    "two bad servers",
    batch([
      { ...node, server: "a" },
      { ...node, server: "b" },
    ]),
    400,
    "invalid_request",
  ],
  ["half a surrogate pair", raw('{"nodes":[{"server":"\\ud800"}]}'), 400, "invalid_request"],
  ["a body that is a list", raw("[]"), 400, "invalid_request"],
  ["a body that is null", raw("null"), 400, "invalid_request"],
  ["an empty body", raw(""), 400, "invalid_request"],
  ["a body that ends early", raw('{"nodes":'), 400, "invalid_json"],
  ["a body that is no JSON", raw("nodes=1"), 400, "invalid_json"],
  ["a body with a byte order mark", raw('\ufeff{"nodes":[]}'), 400, "invalid_json"],
  ["a body that is not UTF-8", raw(Buffer.from([0x22, 0xff, 0x22])), 400, "invalid_json"],
  [
    "a form",
    raw("a=1", { "content-type": "application/x-www-form-urlencoded" }),
    415,
    "unsupported_media_type",
  ],
  [
    "JSON said to be text",
    raw("{}", { "content-type": "text/plain" }),
    415,
    "unsupported_media_type",
  ],
  ["a large body", raw(" ".repeat(65_537), { connection: "close" }), 413, "body_too_large"],
  ["another path", { method: "GET", path: "/api/edgecheck/nothing" }, 404, "not_found"],
  ["another method", { method: "DELETE", path: CHECK }, 405, "method_not_allowed"],
  ["a check by POST", { method: "POST", path: CHECK, body: node }, 405, "method_not_allowed"],
  ["a batch by GET", { method: "GET", path: BATCH }, 405, "method_not_allowed"],
  ["health by POST", { method: "POST", path: "/api/edgecheck/health" }, 405, "method_not_allowed"],
];

function ask(client: Client, { method, path, ...options }: Call): Promise<Answer> {
  return client.request(method, path, options);
}

describe.each(places)("with checks by %s", (place) => {
  let setUp: SetUp;
  /** The reference: a service that checks by itself. */
  let reference: SetUp;
  beforeAll(async () => {
    [setUp, reference] = await Promise.all([startSetUp(place), startSetUp("the service")]);
  });
  afterAll(() => Promise.all([setUp.stop(), reference.stop()]));

  test.each(refusals)("%s is refused in the same words", async (_title, call, status, code) => {
    const expected = await ask(reference.service, call);
    expect([expected.status, expected.body.code]).toEqual([status, code]);
    for (const client of [setUp.service, setUp.checkFunction ?? setUp.service]) {
      const { status: given, body, headers } = await ask(client, call);
      expect(given).toBe(status);
      expect(body).toEqual(expected.body);
      expect(headers["content-type"]).toBe(expected.headers["content-type"]);
      expect(headers["allow"]).toBe(expected.headers["allow"]);
    }
  });

  test.each([
    ["OPTIONS", CHECK, 204],
    ["OPTIONS", BATCH, 204],
    ["HEAD", "/api/edgecheck/health", 200],
    ["HEAD", CHECK, 400],
    ["GET", "/api/edgecheck/health/", 200],
    ["POST", `${BATCH}/`, 400],
  ])("%s %s is answered alike", async (method, path, status) => {
    const expected = await reference.service.request(method, path);
    expect(expected.status).toBe(status);
    for (const client of [setUp.service, setUp.checkFunction ?? setUp.service]) {
      const answer = await client.request(method, path);
      expect(answer.status).toBe(status);
      expect(answer.headers["allow"]).toBe(expected.headers["allow"]);
    }
  });
});

describe.each(places)("with a key and checks by %s", (place) => {
  let setUp: SetUp;
  beforeAll(async () => {
    setUp = await startSetUp(place, { apiKey: KEY });
  });
  afterAll(() => setUp.stop());

  const calls: Call[] = [
    single(node),
    batch([node]),
    { method: "GET", path: "/api/edgecheck/health" },
  ];
  const clients = () => [setUp.service, setUp.checkFunction ?? setUp.service];

  test("it opens, and nothing else does", async () => {
    for (const client of clients()) {
      for (const call of calls) {
        expect((await ask(client, { ...call, headers: { "x-api-key": KEY } })).status).toBe(200);
        const none = await ask(client, call);
        expect(none.status).toBe(401);
        expect(none.headers["www-authenticate"]).toBe("ApiKey");
        expect(none.body).toEqual({
          error: "Send the key of the online checks in the header X-API-Key",
          code: "unauthorized",
        });
        const wrong = await ask(client, { ...call, headers: { "x-api-key": `${KEY}.` } });
        expect(wrong.status).toBe(401);
        expect(wrong.body).toEqual({
          error: "The key in X-API-Key is wrong",
          code: "unauthorized",
        });
      }
    }
  });

  test("without it a caller learns nothing else about a request", async () => {
    for (const client of clients()) {
      for (const call of [single({}), batch([]), raw("{")]) {
        expect((await ask(client, call)).status).toBe(401);
      }
    }
  });
});

describe.each(places)("with public targets only and checks by %s", (place) => {
  test("private targets are refused and no connection comes", async () => {
    const setUp = await startSetUp(place, { policy: "public" });
    const peer = await OverlayPeer.listen();
    const names = ["127.0.0.1", "0x7f000001", "[::ffff:127.0.0.1]", "localhost"];
    const target = (host: string) => ({
      server: `tcp://${host}:${peer.port}`,
      network_name: NETWORK.name,
      network_secret: NETWORK.secret,
    });
    const refusal = { is_online: false, error: "Loopback addresses are not checked" };
    for (const name of names) {
      expect((await check(setUp.service, target(name))).body).toMatchObject(refusal);
    }
    const { body } = await checkBatch(setUp.service, names.map(target));
    expect(body.results).toEqual(names.map(() => expect.objectContaining(refusal) as unknown));
    expect(peer.connectionCount).toBe(0);
    await peer.close();
    await setUp.stop();
  });
});
