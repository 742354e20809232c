import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { join } from "../support/accounts.ts";
import { createNode, sendReport, type CreatedNode } from "../support/nodes.ts";
import { exchange, type RawAnswer } from "../support/raw-connection.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";

/** What may differ between two answers to the same request. */
const volatile = new Set(["date", "x-request-id"]);

interface Compared extends RawAnswer {
  input: string;
}

interface Input {
  name: string;
  method?: "GET";
  headers?: Record<string, string>;
  body?: string;
}

const reportInputs = (node: CreatedNode): Input[] => {
  const report = {
    node_name: node.name,
    email: OWNER,
    token: node.token,
    current_bandwidth: 12.5,
    reported_traffic: 0,
    connection_count: 3,
    status: "online",
  };
  const variants: [string, Record<string, unknown>][] = [
    ["a good report", {}],
    ["a report with an id", { report_id: "r-1" }],
    ["an unknown node", { node_name: "nobody" }],
    ["a wrong token", { token: "wpr_wrong" }],
    ["a negative number", { reported_traffic: -1 }],
    ["a number in quotes", { reported_traffic: "1" }],
    ["a missing field", { status: undefined }],
    ["SQL", { node_name: "'; drop table nodes; --" }],
    ["an unknown field", { anything: [1, 2, 3] }],
  ];
  return variants.map(([name, change]) => ({
    name,
    body: JSON.stringify({ ...report, ...change }),
  }));
};

const anyInputs: Input[] = [
  { name: "an empty object", body: "{}" },
  { name: "an empty body", body: "" },
  { name: "null", body: "null" },
  { name: "a list", body: "[]" },
  { name: "a number", body: "1" },
  { name: "broken JSON", body: '{"limit":' },
  { name: "a stray comma", body: '{"limit":1,}' },
  { name: "a lone surrogate", body: '{"tag":"\\ud800"}' },
  { name: "NUL", body: '{"tag":"\\u0000"}' },
  { name: "a key twice", body: '{"limit":0,"limit":1}' },
  { name: "prototype keys", body: '{"__proto__":{"limit":0},"constructor":1}' },
  { name: "text beyond ASCII", body: '{"tag":"зелёный 🟢"}' },
  { name: "a word outside a list", body: '{"region":"mars"}' },
  { name: "several faults", body: '{"region":1,"limit":99,"exclude":["x"]}' },
  { name: "another content type", body: "{}", headers: { "content-type": "text/plain" } },
  {
    name: "a charset",
    body: "{}",
    headers: { "content-type": "application/json; charset=utf-8" },
  },
  { name: "a body that is too large", body: `{"x":"${"y".repeat(65_536)}"}` },
  { name: "a request id", body: "{}", headers: { "x-request-id": "trace-1" } },
  { name: "another method", method: "GET" },
];

const listInputs = (tag: string): Input[] => [
  { name: "plain", method: "GET" },
  { name: "gzip", method: "GET", headers: { "accept-encoding": "gzip" } },
  { name: "brotli first", method: "GET", headers: { "accept-encoding": "gzip;q=0.5, br" } },
  { name: "a tag that still holds", method: "GET", headers: { "if-none-match": tag } },
  { name: "a tag that does not", method: "GET", headers: { "if-none-match": '"other"' } },
  { name: "a foreign page", method: "GET", headers: { origin: "https://example.org" } },
  { name: "another method", body: "{}" },
];

describeOnBothDatabases("the plain request and the routed one get the same answer", (context) => {
  let service: TestService;
  let node: CreatedNode;
  beforeAll(async () => {
    service = await context.start();
    const session = await join(service, OWNER);
    // Long enough to be worth compressing.
    node = await createNode(service, session, { region_detail: "x".repeat(128) });
    for (let n = 0; n < 8; n++) {
      await createNode(service, session, {
        node_name: `other-${n}`,
        region_detail: "y".repeat(128),
      });
    }
    await sendReport(service, OWNER, node);
  });
  afterAll(() => service.stop());

  /** With a trailing slash a request goes through the router. */
  async function answerBothWays(path: string, inputs: readonly Input[]) {
    const plain: Compared[] = [];
    const routed: Compared[] = [];
    for (const input of inputs) {
      plain.push(await ask(path, input));
      routed.push(await ask(`${path}/`, input));
    }
    return { plain, routed };
  }

  async function ask(path: string, input: Input): Promise<Compared> {
    const { status, headers, body } = await exchange(service.origin, toRequest(path, input));
    const shown = Object.entries(headers).map(([name, value]) =>
      volatile.has(name) ? [name, "…"] : [name, value],
    );
    return { input: input.name, status, headers: Object.fromEntries(shown), body };
  }

  async function isAhead(path: string, headers: Record<string, string> = {}): Promise<boolean> {
    const { rawHeaders } = await open(`${service.origin}${path}`, headers);
    // The router names the request before anything else, the hot path after everything else.
    return rawHeaders.indexOf("x-request-id") > rawHeaders.indexOf("content-length");
  }

  test("POST /api/report", async () => {
    const inputs = [...reportInputs(node), ...anyInputs];
    const { plain, routed } = await answerBothWays("/api/report", inputs);
    expect(plain).toEqual(routed);
    expect(statusesOf(plain)).toEqual([200, 400, 403, 404, 405, 413, 415]);
  });

  test("POST /api/query", async () => {
    const { plain, routed } = await answerBothWays("/api/query", anyInputs);
    expect(plain).toEqual(routed);
    expect(statusesOf(plain)).toEqual([200, 400, 405, 413, 415]);
  });

  test("GET /api/public", async () => {
    const list = await service.request("GET", "/api/public");
    const inputs = listInputs(String(list.headers.etag));
    const { plain, routed } = await answerBothWays("/api/public", inputs);
    expect(plain).toEqual(routed);
    expect(statusesOf(plain)).toEqual([200, 304, 405]);
  });

  test("GET /api/stats", async () => {
    const { plain, routed } = await answerBothWays("/api/stats", listInputs('"x"'));
    expect(plain).toEqual(routed);
    expect(statusesOf(plain)).toEqual([200, 405]);
  });

  test("only plain requests are answered ahead of the router", async () => {
    expect(await isAhead("/api/stats")).toBe(true);
    expect(await isAhead("/api/public")).toBe(true);
    expect(await isAhead("/api/stats/")).toBe(false);
    expect(await isAhead("/api/public?limit=1")).toBe(false);
    expect(await isAhead("/api/stats", { expect: "100-continue" })).toBe(false);
    expect(await isAhead("/healthz")).toBe(false);
  });
});

function toRequest(path: string, { method, headers = {}, body }: Input): string {
  const lines = [`${method ?? "POST"} ${path} HTTP/1.1`, "Host: localhost", "Connection: close"];
  if (body !== undefined) {
    lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
    if (!("content-type" in headers)) lines.push("Content-Type: application/json");
  }
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

function statusesOf(answers: readonly Compared[]): number[] {
  return [...new Set(answers.map((each) => each.status))].toSorted((one, other) => one - other);
}

async function open(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { headers, agent: false }, resolve).on("error", reject);
  const response = await promise;
  await text(response);
  return response;
}
