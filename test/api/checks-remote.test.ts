import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeCheckFunction, replyJson, type Reply } from "../support/check-function.ts";
import { check, checkBatch, namesAre, nodeOf, NETWORK_SECRET } from "../support/checks.ts";
import { RawConnection } from "../support/raw-connection.ts";
import { startTestService, type TestService } from "../support/service.ts";

const KEY = "key-of-the-function";
/** Nobody dials it: the checks are the function's. */
const node = nodeOf("tcp://203.0.113.7:11010");
/** Of another program, which names its zone. */
const online = {
  is_online: true,
  connection_count: 12,
  latency_ms: 34,
  check_time: "2026-11-20T12:00:00+08:00",
};
const offline = {
  is_online: false,
  connection_count: 0,
  latency_ms: -1,
  check_time: "2026-11-20T12:00:00.123456",
  error: "Connection refused",
};

function resultIn(latency_ms: number) {
  return { ...online, latency_ms };
}

let fake: FakeCheckFunction;
let service: TestService;
/** What the service has logged. */
let log: string[];

async function start(env: Record<string, string> = {}, names = namesAre({})): Promise<void> {
  log = [];
  service = await startTestService({
    env: { CHECK_REMOTE_URL: fake.origin, CHECK_REMOTE_KEY: KEY, ...env },
    logger: pino({ level: "trace" }, { write: (line: string) => void log.push(line) }),
    checks: {
      remoteTimeoutMs: 300,
      resolver: names,
      sockets: {
        connect: async (address) => {
          throw new Error(`${address} was dialled from here`);
        },
      },
    },
  });
}

beforeEach(async () => {
  fake = await FakeCheckFunction.listen(replyJson(online));
});
afterEach(async () => {
  await service.stop();
  await fake.close();
});

describe("a service with a check function", () => {
  test("says so in its health, without asking it", async () => {
    await start();
    const { status, body } = await service.request("GET", "/api/edgecheck/health");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "ok", service: "waypost-edgecheck", mode: "remote" });
    expect(fake.asked).toEqual([]);
  });

  test.each([
    ["online", online],
    ["with a handshake", { ...online, handshake: "shared" }],
    ["offline", offline],
  ])("passes a result on as it is: %s", async (_, result) => {
    fake.reply = replyJson(result);
    await start();
    const answer = await check(service, node);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(result);
  });

  test("asks it the same with its own key, whatever the caller's is", async () => {
    await start({ CHECK_API_KEY: "key-of-the-caller" });
    const headers = { "x-api-key": "key-of-the-caller", authorization: "Bearer a", cookie: "b=c" };
    expect((await check(service, node, { headers })).status).toBe(200);
    const [asked] = fake.asked;
    expect(asked).toMatchObject({ method: "GET", path: "/api/edgecheck/check", query: node });
    expect(asked?.headers["x-api-key"]).toBe(KEY);
    expect(asked?.headers).not.toHaveProperty("authorization");
    expect(asked?.headers).not.toHaveProperty("cookie");
  });

  test("sends no key when there is none", async () => {
    await start({ CHECK_REMOTE_KEY: "" });
    await check(service, node);
    expect(fake.asked[0]?.headers).not.toHaveProperty("x-api-key");
  });

  test("asks for a batch in one request, and keeps the order", async () => {
    await start();
    fake.reply = replyJson({ results: [offline, online, offline] });
    const nodes = [node, nodeOf("ws://node.example.org:80"), nodeOf("wss://[2001:DB8::0]:443/")];
    const answer = await checkBatch(service, nodes);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ results: [offline, online, offline] });
    expect(fake.asked).toHaveLength(1);
    expect(fake.asked[0]).toMatchObject({ method: "POST", path: "/api/edgecheck/batch-check" });
    // In the one spelling that was judged.
    expect(fake.asked[0]?.body).toEqual({
      nodes: [nodes[0], nodes[1], { ...node, server: "wss://[2001:db8::]:443" }],
    });
  });

  test("asks for a large batch in groups of six at the same time, and keeps the order", async () => {
    await start();
    const held: (() => void)[] = [];
    fake.reply = (asked, response) => {
      const { nodes } = asked.body as { nodes: { network_name: string }[] };
      const results = nodes.map(({ network_name: name }) => resultIn(Number(name)));
      held.push(() => replyJson({ results })(asked, response));
      // Nobody is answered before all have asked.
      if (held.length === 4) for (const answer of held) answer();
    };
    const nodes = Array.from({ length: 20 }, (_, n) => ({ ...node, network_name: String(n) }));
    const { status, body } = await checkBatch(service, nodes);
    expect(status).toBe(200);
    expect(body.results).toMatchObject(nodes.map((_, n) => ({ latency_ms: n })));
    expect(fake.asked).toHaveLength(4);
  });

  test("fails as a whole when one of the groups does", async () => {
    await start();
    fake.reply = (asked, response) => {
      const { nodes } = asked.body as { nodes: unknown[] };
      replyJson({ results: nodes.length === 6 ? nodes.map(() => online) : [] })(asked, response);
    };
    const answer = await checkBatch(
      service,
      Array.from({ length: 7 }, () => node),
    );
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe("check_function_answer_invalid");
  });

  test("uses one connection again and again", async () => {
    await start();
    for (let n = 0; n < 5; n++) expect((await check(service, node)).status).toBe(200);
    expect(fake.connections).toBe(1);
  });

  test("gives the question up when the caller hangs up", async () => {
    const asked = Promise.withResolvers<void>();
    const givenUp = Promise.withResolvers<void>();
    fake.reply = (_, response) => {
      response.on("close", givenUp.resolve);
      asked.resolve();
    };
    await start();
    const query = new URLSearchParams({ ...node }).toString();
    const caller = await RawConnection.open(service.origin);
    caller.send(`GET /api/edgecheck/check?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await asked.promise;
    caller.close();
    await givenUp.promise;
    const metrics = () => service.request("GET", "/metrics");
    while (!String((await metrics()).body).includes("waypost_checks_running 0\n"));
    // Nobody is to blame, and nothing went wrong.
    expect(log.join("")).not.toContain("check_function");
    expect(log.join("")).not.toContain("a request failed");
  });

  test("asks it nothing when the request is wrong", async () => {
    await start();
    expect((await check(service, { ...node, server: "x" })).status).toBe(400);
    expect((await checkBatch(service, [node, { ...node, server: "x" }])).status).toBe(400);
    expect(fake.asked).toEqual([]);
  });

  test("leaves out what an answer holds beyond the contract", async () => {
    await start();
    fake.reply = replyJson({ ...online, region: "somewhere" });
    expect((await check(service, node)).body).toEqual(online);
  });
});

describe("the target policy", () => {
  const open = nodeOf("tcp://8.8.8.8:53");
  const closed = nodeOf("tcp://127.0.0.1:22");
  const refused = {
    is_online: false,
    connection_count: 0,
    latency_ms: -1,
    check_time: expect.any(String) as string,
    error: expect.stringMatching(/not checked$/) as string,
  };

  test("is applied before anything is passed on", async () => {
    await start({ CHECK_POLICY: "public" });
    expect((await check(service, closed)).body).toEqual(refused);
    expect(fake.asked).toEqual([]);
    fake.reply = ({ body }, response) => {
      const { nodes } = body as { nodes: unknown[] };
      replyJson({ results: nodes.map(() => online) })({} as never, response);
    };
    const answer = await checkBatch(service, [closed, open, closed, open]);
    expect(answer.body).toEqual({ results: [refused, online, refused, online] });
    expect(fake.asked[0]?.body).toEqual({ nodes: [open, open] });
    expect((await checkBatch(service, [closed, closed])).body).toEqual({
      results: [refused, refused],
    });
    expect(fake.asked).toHaveLength(1);
  });

  test("judges names by what they mean here", async () => {
    const names = namesAre({
      "inside.example.org": ["10.0.0.1"],
      "both.example.org": ["8.8.8.8", "169.254.169.254"],
      "outside.example.org": ["8.8.8.8"],
    });
    await start({ CHECK_POLICY: "public" }, names);
    for (const name of ["inside.example.org", "both.example.org"]) {
      expect((await check(service, nodeOf(`tcp://${name}:1`))).body).toEqual(refused);
    }
    expect(fake.asked).toEqual([]);
    const outside = nodeOf("tcp://outside.example.org:1");
    expect((await check(service, outside)).body).toEqual(online);
    expect(fake.asked[0]?.query).toEqual(outside);
  });

  test("is no reason to look names up when it refuses nothing", async () => {
    const names = namesAre({});
    await start({ CHECK_POLICY: "any" }, names);
    expect((await check(service, nodeOf("tcp://nobody.example.org:1"))).body).toEqual(online);
    expect(names.asked).toEqual([]);
  });
});

const send =
  (body: string | Buffer, headers: Record<string, string> = {}): Reply =>
  (_asked, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);
  };

describe("a function that does not answer as it should is an error with the code", () => {
  const invalid = "check_function_answer_invalid";
  /** For one check: what it answers, the code, and the sentence. */
  const wrongResults: [title: string, reply: Reply, code: string, sentence: string][] = [
    ["no JSON", send("<html>"), invalid, "is no check result"],
    ["nothing", send(""), invalid, "is no check result"],
    ["null", replyJson(null), invalid, "is no check result"],
    ["an empty object", replyJson({}), invalid, "is no check result"],
    ["a batch", replyJson({ results: [online] }), invalid, "is no check result"],
    ["text for a number", replyJson({ ...online, latency_ms: "3" }), invalid, "is no check result"],
    [
      "half a millisecond",
      replyJson({ ...online, latency_ms: 0.5 }),
      invalid,
      "is no check result",
    ],
    ["online with -1 ms", replyJson({ ...online, latency_ms: -1 }), invalid, "is no check result"],
    ["online with an error", replyJson({ ...online, error: "?" }), invalid, "is no check result"],
    [
      "offline without one",
      replyJson({ ...offline, error: undefined }),
      invalid,
      "is no check result",
    ],
    [
      "offline with an empty one",
      replyJson({ ...offline, error: "" }),
      invalid,
      "is no check result",
    ],
    ["offline with 3 ms", replyJson({ ...offline, latency_ms: 3 }), invalid, "is no check result"],
    [
      "offline with connections",
      replyJson({ ...offline, connection_count: 3 }),
      invalid,
      "is no check result",
    ],
    [
      "less than no connection",
      replyJson({ ...online, connection_count: -1 }),
      invalid,
      "is no check result",
    ],
    [
      "a time of its own making",
      replyJson({ ...online, check_time: "yesterday" }),
      invalid,
      "is no check result",
    ],
    [
      "an unknown handshake",
      replyJson({ ...online, handshake: "firm" }),
      invalid,
      "is no check result",
    ],
    ["no UTF-8", send(Buffer.from([0x7b, 0xff, 0x7d])), invalid, "is too large or no text"],
    [
      "too much",
      send(JSON.stringify({ ...online, x: "x".repeat(256 * 1024) })),
      invalid,
      "is too large or no text",
    ],
    [
      "too much, packed",
      send(gzipSync(" ".repeat(9_000_000)), { "content-encoding": "gzip" }),
      invalid,
      "is too large or no text",
    ],
    ["another status", replyJson(online, 201), invalid, "has the status 201"],
    ["400", replyJson({ error: "?" }, 400), invalid, "has the status 400"],
    ["500", replyJson({ error: "?" }, 500), invalid, "has the status 500"],
    ["503", replyJson({ error: "?" }, 503), invalid, "has the status 503"],
    ["401", replyJson({ error: "?" }, 401), "check_function_refused_key", "refuses the key"],
    [
      "the end of the connection",
      (_, response) => void response.destroy(),
      "check_function_unreachable",
      "cannot be reached",
    ],
    [
      "half an answer",
      (_, response) =>
        void response
          .writeHead(200, { "content-length": "99" })
          .write("{", () => response.destroy()),
      "check_function_unreachable",
      "cannot be reached",
    ],
    ["nothing in time", () => {}, "check_function_timed_out", "did not answer within 0.3 s"],
    [
      "no end in time",
      (_, response) => void response.writeHead(200).write("{"),
      "check_function_timed_out",
      "did not answer within 0.3 s",
    ],
  ];

  test.each(wrongResults)("%s", async (_, reply, code, sentence) => {
    await start();
    fake.reply = reply;
    const answer = await check(service, node);
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe(code);
    expect(answer.body.error).toMatch(/^The check function /);
    expect(answer.body.error).toContain(sentence);
    const metrics = String((await service.request("GET", "/metrics")).body);
    expect(metrics).toContain(`waypost_check_function_failures_total{code="${code}"} 1\n`);
    expect(log.join("")).toContain(code);
    expect(log.join("")).not.toContain(NETWORK_SECRET);
    expect(log.join("")).not.toContain(KEY);
    // It is asked again, and by then it may be well.
    fake.reply = replyJson(online);
    expect((await check(service, node)).body).toEqual(online);
  });

  test.each<[string, unknown]>([
    ["one result", online],
    ["a bare list", [online, online]],
    ["a list with something else in it", { results: [online, null] }],
    ["too few results", { results: [online] }],
    ["too many results", { results: [online, online, online] }],
    ["none", { results: [] }],
  ])("a batch that is %s", async (_, value) => {
    await start();
    fake.reply = replyJson(value);
    const answer = await checkBatch(service, [node, node]);
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe(invalid);
  });

  test("another place to ask: it is not followed", async () => {
    const elsewhere = await FakeCheckFunction.listen(replyJson(online));
    await start();
    for (const status of [301, 302, 307, 308]) {
      fake.reply = (_, response) =>
        void response.writeHead(status, { location: `${elsewhere.origin}/` }).end();
      const answer = await check(service, node);
      expect(answer.status).toBe(500);
      expect(answer.body.error).toContain(`has the status ${status}`);
    }
    expect(elsewhere.asked).toEqual([]);
    await elsewhere.close();
  });

  test("nobody there", async () => {
    const gone = await FakeCheckFunction.listen(replyJson(online));
    const { origin } = gone;
    await gone.close();
    await start({ CHECK_REMOTE_URL: origin });
    const answer = await check(service, node);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: "The check function cannot be reached",
      code: "check_function_unreachable",
    });
    expect(log.join("")).toContain("ECONNREFUSED");
    expect((await service.request("GET", "/api/edgecheck/health")).status).toBe(200);
  });

  test.each([
    ["7", "7"],
    ["0", "1"],
    ["999999", "3600"],
    ["Fri, 20 Nov 2026 12:00:00 GMT", "5"],
  ])("busy for %s: the caller is told to wait as well", async (said, passed) => {
    await start();
    fake.reply = (_, response) => void response.writeHead(429, { "retry-after": said }).end();
    const answer = await check(service, node);
    expect(answer.status).toBe(429);
    expect(answer.body.code).toBe("check_function_busy");
    expect(answer.headers["retry-after"]).toBe(passed);
  });
});
