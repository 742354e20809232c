import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultPatience } from "../../src/server/http/listener.ts";
import { join } from "../support/accounts.ts";
import { exchange, RawConnection } from "../support/raw-connection.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const json = { "content-type": "application/json" };

describe("paths and methods", () => {
  test("an unknown path is a 404 in the error body", async () => {
    const answer = await service.request("GET", "/nowhere");
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ error: "There is nothing at this path", code: "not_found" });
  });

  test("a method the path does not know is a 405 that names those it does", async () => {
    const answer = await service.request("DELETE", "/api/query");
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("OPTIONS, POST");
    expect(answer.body).toEqual({
      error: "This path answers OPTIONS, POST, not DELETE",
      code: "method_not_allowed",
    });
  });

  test.each(["PROPFIND", "TRACE", "PATCH", "LINK"])("%s is a 405 too", async (method) => {
    const answer = await service.request(method, "/healthz");
    expect(answer.status).toBe(405);
    expect(answer.body.code).toBe("method_not_allowed");
  });

  test("a word that is no method at all is a 400", async () => {
    const answer = await exchange(service.origin, "FROB /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).code).toBe("invalid_request");
  });

  test("a trailing slash makes no difference", async () => {
    expect((await service.request("GET", "/healthz/")).body).toEqual({ status: "ok" });
    expect((await service.request("POST", "/api/query/", { body: {} })).status).toBe(200);
    expect((await service.request("GET", "/api/query/")).status).toBe(405);
  });

  test("a path that is not valid is a 404", async () => {
    const answer = await service.request("GET", "/api/%c0%af");
    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe("not_found");
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  });

  test("an absolute target names the same path", async () => {
    const answer = await exchange(
      service.origin,
      "GET http://example.org/healthz HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n",
    );
    expect(answer.status).toBe(200);
  });

  test("HEAD answers as GET does, without the body", async () => {
    const head = await service.request("HEAD", "/healthz");
    expect(head.status).toBe(200);
    expect(head.body).toBe("");
    expect(head.headers["content-length"]).toBe('{"status":"ok"}'.length.toString());
    expect((await service.request("HEAD", "/nowhere")).status).toBe(404);
    expect((await service.request("HEAD", "/api/query")).status).toBe(405);
  });

  test("OPTIONS names the methods of a path", async () => {
    const answer = await service.request("OPTIONS", "/healthz");
    expect(answer.status).toBe(204);
    expect(answer.headers.allow).toBe("GET, HEAD, OPTIONS");
    expect((await service.request("OPTIONS", "/nowhere")).status).toBe(404);
  });

  test("OPTIONS * is answered", async () => {
    const answer = await exchange(
      service.origin,
      "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect(answer.status).toBe(204);
  });
});

describe("ids in a path", () => {
  let session: string;
  beforeAll(async () => {
    session = await join(service, "paths@example.com");
  });

  test.each([
    "0",
    "-1",
    "1.5",
    "01",
    "1e3",
    "x",
    "9007199254740992",
    "9".repeat(400),
    "%00",
    "1%20",
  ])("%s names nothing", async (id) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await service.request(method, `/api/nodes/${id}`, {
        token: session,
        ...(method === "PUT" ? { body: {} } : {}),
      });
      expect(answer.status).toBe(404);
      expect(answer.body.code).toBe("not_found");
    }
  });

  test("without a session that is not told, and a wrong body is told first", async () => {
    const path = "/api/nodes/x";
    expect((await service.request("PUT", path, { raw: "{" })).status).toBe(401);
    const broken = await service.request("PUT", path, { raw: "{", token: session });
    expect(broken.body.code).toBe("invalid_json");
    const wrong = await service.request("PUT", path, { body: { tags: 1 }, token: session });
    expect(wrong.body.code).toBe("invalid_request");
  });

  test("the word Bearer is read in any case", async () => {
    for (const scheme of ["bearer", "BEARER", "Bearer"]) {
      const headers = { authorization: `${scheme} ${session}` };
      expect((await service.request("GET", "/api/nodes/my", { headers })).status).toBe(200);
    }
    const headers = { authorization: `Basic ${session}` };
    expect((await service.request("GET", "/api/nodes/my", { headers })).status).toBe(401);
  });
});

describe("bodies", () => {
  test("up to 64 KiB are read", async () => {
    const filler = "x".repeat(64 * 1024 - '{"filler":""}'.length);
    expect((await service.request("POST", "/api/query", { body: { filler } })).status).toBe(200);
    const answer = await service.request("POST", "/api/query", { body: { filler: `${filler}y` } });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({
      error: "The body is larger than 64 KiB",
      code: "body_too_large",
    });
  });

  test("a chunked body is held to the same limit", async () => {
    const chunk = `1000\r\n${"x".repeat(4096)}\r\n`;
    const answer = await exchange(
      service.origin,
      `POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`,
    );
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body).code).toBe("body_too_large");
  });

  test("a small chunked body is read", async () => {
    const answer = await exchange(
      service.origin,
      'POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nb\r\n{"limit":1}\r\n0\r\n\r\n',
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toBe('{"nodes":[]}');
  });

  test.each(["application/x-www-form-urlencoded", "text/plain", "application/xml", "nonsense"])(
    "%s is a 415 that says what to send",
    async (type) => {
      const answer = await service.request("POST", "/api/query", {
        raw: "{}",
        headers: { "content-type": type },
      });
      expect(answer.status).toBe(415);
      expect(answer.body.error).toBe(
        "Send the body as JSON, with the header Content-Type: application/json",
      );
    },
  );

  test.each([
    "application/json; charset=utf-8",
    "Application/JSON",
    'application/json;charset="utf-8"',
  ])("%s is JSON", async (type) => {
    const answer = await service.request("POST", "/api/query", {
      raw: "{}",
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(200);
  });

  test("a body that does not say what it is, is taken for JSON", async () => {
    const answer = await exchange(
      service.origin,
      'POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{"limit":0}',
    );
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).fields[0].path).toBe("limit");
  });

  test("no body at all is no JSON object, but a query needs none", async () => {
    expect((await service.request("POST", "/api/query")).status).toBe(200);
    expect((await service.request("POST", "/api/query", { raw: "" })).status).toBe(200);
    const answer = await service.request("POST", "/api/report");
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe("The body must be a JSON object");
  });

  test.each([
    ['{"limit":}', 'unexpected "}" at line 1, column 10'],
    ['{"limit":1,}', 'unexpected "}" at line 1, column 12'],
    ['{\n"limit": 1\n"tag"', 'unexpected "\\"" at line 3, column 1'],
    ["{'limit':1}", 'unexpected "\'" at line 1, column 2'],
    ['{"limit":NaN}', 'unexpected "N" at line 1, column 10'],
    ['{"limit":01}', 'unexpected "1" at line 1, column 11'],
    ['{"tag":"a\u0000b"}', 'unexpected "\\u0000" at line 1, column 10'],
    ['{"limit":1', "it ends too early"],
    ['{"tag":"abc', "it ends too early"],
    ["{} {}", 'unexpected "{" at line 1, column 4'],
    ["[".repeat(50_000), "it ends too early"],
  ])("%j is a 400 that says where it breaks", async (raw, where) => {
    const answer = await service.request("POST", "/api/query", { raw });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: `The body is not valid JSON: ${where}`,
      code: "invalid_json",
    });
  });

  test("bytes that are not UTF-8 are a 400", async () => {
    const raw = Buffer.from([...Buffer.from('{"tag":"'), 0xc0, 0xaf, ...Buffer.from('"}')]);
    const answer = await service.request("POST", "/api/query", { raw });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toBe("The body is not valid UTF-8");
  });

  test.each([
    ['{"tag":"a\\u0000b"}', "tag", "must not contain the character NUL"],
    ['{"tag":"\\ud800"}', "tag", "must be well-formed Unicode, without lone surrogates"],
    [
      '{"x":[1,{"y":"\\udfff\\ud83d"}]}',
      "x.1.y",
      "must be well-formed Unicode, without lone surrogates",
    ],
    ['{"a\\u0000":1}', "a\ufffd", "must not contain the character NUL"],
  ])("%s is refused with the path", async (raw, path, message) => {
    const answer = await service.request("POST", "/api/query", { raw });
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual([{ path, message }]);
  });

  test("an escaped pair of surrogates is a character like any other", async () => {
    const answer = await service.request("POST", "/api/query", { raw: '{"tag":"\\ud83d\\ude00"}' });
    expect(answer.status).toBe(200);
  });

  test("nesting as deep as a body can hold does no harm", async () => {
    const raw = `{"x":${"[".repeat(30_000)}"\\u0061"${"]".repeat(30_000)}}`;
    expect((await service.request("POST", "/api/query", { raw })).status).toBe(200);
  });

  test("of a key that is there twice the last value counts", async () => {
    const answer = await service.request("POST", "/api/query", { raw: '{"limit":0,"limit":1}' });
    expect(answer.status).toBe(200);
    const other = await service.request("POST", "/api/query", { raw: '{"limit":1,"limit":0}' });
    expect(other.status).toBe(400);
  });

  test.each([
    '{"__proto__":{"limit":0,"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"\\u005f_proto__":{"limit":0}}',
  ])("%s changes nothing", async (raw) => {
    const answer = await service.request("POST", "/api/query", { raw });
    expect(answer.status).toBe(200);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["limit"]).toBeUndefined();
  });

  test("a number in quotes is a 400", async () => {
    const answer = await service.request("POST", "/api/query", { body: { limit: "3" } });
    expect(answer.status).toBe(400);
    expect(answer.body.fields).toEqual([
      { path: "limit", message: "must be a whole number from 1 to 20, not text" },
    ]);
  });

  test("a word outside a list is a 400 that lists them", async () => {
    const answer = await service.request("POST", "/api/query", { body: { region: "mars" } });
    expect(answer.body.error).toBe("region: must be domestic, overseas or all");
  });

  test("a body shorter than announced is no request", async () => {
    const connection = await RawConnection.open(service.origin);
    connection.send(
      "POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{}",
    );
    connection.close();
    expect((await service.request("GET", "/healthz")).status).toBe(200);
  });
});

describe("headers", () => {
  test("every answer forbids what an answer of data never needs", async () => {
    for (const path of ["/healthz", "/nowhere"]) {
      const { headers } = await service.request("GET", path);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
      });
      expect(headers["x-powered-by"]).toBeUndefined();
      expect(headers.server).toBeUndefined();
    }
  });

  test("HTTPS is made to stick where the public address is HTTPS", async () => {
    const plain = await service.request("GET", "/healthz");
    expect(plain.headers["strict-transport-security"]).toBeUndefined();
    const secure = await startTestService({ env: { PUBLIC_URL: "https://nodes.example.org" } });
    const answer = await secure.request("GET", "/healthz");
    await secure.stop();
    expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
  });

  test("pages of any origin may use the public endpoints", async () => {
    const preflight = await service.request("OPTIONS", "/api/query", {
      headers: {
        origin: "https://example.org",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "OPTIONS, POST",
    });
    expect(preflight.headers["access-control-allow-headers"]).toContain("Content-Type");
    const answer = await service.request("POST", "/api/query", { body: {} });
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    const refused = await service.request("POST", "/api/query", { body: { limit: 0 } });
    expect(refused.headers["access-control-allow-origin"]).toBe("*");
  });

  test("pages of other origins may use nothing else", async () => {
    const headers = { origin: "https://example.org" };
    for (const path of ["/healthz", "/readyz", "/nowhere"]) {
      const answer = await service.request("GET", path, { headers });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
    const preflight = await service.request("OPTIONS", "/healthz", {
      headers: { ...headers, "access-control-request-method": "GET" },
    });
    expect(preflight.headers["access-control-allow-methods"]).toBeUndefined();
  });

  test("a request is named, by the caller if it likes", async () => {
    const first = await service.request("GET", "/healthz");
    const second = await service.request("GET", "/healthz");
    expect(first.headers["x-request-id"]).toMatch(/^[\w-]+$/);
    expect(first.headers["x-request-id"]).not.toBe(second.headers["x-request-id"]);
    const own = await service.request("GET", "/nowhere", {
      headers: { "x-request-id": "trace:0a.1-b_2" },
    });
    expect(own.headers["x-request-id"]).toBe("trace:0a.1-b_2");
  });

  test.each(["a b", "x".repeat(65), '"', ""])("%j is no name for a request", async (name) => {
    const answer = await service.request("GET", "/healthz", { headers: { "x-request-id": name } });
    expect(answer.headers["x-request-id"]).not.toBe(name);
  });

  test("a request without Host is a 400", async () => {
    const answer = await exchange(
      service.origin,
      "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
    );
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error).toBe("The header Host is missing");
  });

  test("requests that come in one piece are answered in their order", async () => {
    const connection = await RawConnection.open(service.origin);
    const report = '{"node_name":"x"}';
    connection.send(
      [
        `POST /api/report HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${report.length}\r\nX-Request-Id: first\r\n\r\n${report}`,
        "GET /api/nodes/my HTTP/1.1\r\nHost: a\r\nX-Request-Id: second\r\n\r\n",
        "GET /api/stats HTTP/1.1\r\nHost: a\r\nX-Request-Id: third\r\nConnection: close\r\n\r\n",
      ].join(""),
    );
    const ids = [...(await connection.received()).matchAll(/x-request-id: (\w+)/g)];
    expect(ids.map(([, id]) => id)).toEqual(["first", "second", "third"]);
  });

  test("HTTP/1.0 is spoken", async () => {
    const answer = await exchange(service.origin, "GET /healthz HTTP/1.0\r\n\r\n");
    expect(answer.status).toBe(200);
    expect(answer.headers["connection"]).toBe("close");
  });

  test("an expectation that nobody knows is no obstacle", async () => {
    const answer = await exchange(
      service.origin,
      "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
    );
    expect(answer.status).toBe(200);
  });

  test("a client that waits for permission to send a body gets it", async () => {
    const connection = await RawConnection.open(service.origin);
    connection.send(
      "POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
    );
    connection.send("{}");
    const text = await connection.received();
    expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
  });

  test("headers larger than 16 KiB are a 431", async () => {
    const answer = await exchange(
      service.origin,
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Big: ${"x".repeat(17_000)}\r\n\r\n`,
    );
    expect(answer.status).toBe(431);
    expect(JSON.parse(answer.body).code).toBe("headers_too_large");
  });

  test.each([
    ["noise", "\x16\x03\x01\x02\x00\x01\x00"],
    [
      "two lengths",
      "POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    ],
    [
      "a length beside chunks",
      "POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    ],
    ["a folded header", "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n 2\r\n\r\n"],
    [
      "a bare line feed in a chunk size",
      "POST /api/query HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n",
    ],
  ])("%s is a 400 and the end of the connection", async (_, text) => {
    const answer = await exchange(service.origin, text);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({
      error: "The request is not valid HTTP",
      code: "invalid_request",
    });
    expect(answer.headers["connection"]).toBe("close");
  });
});

describe("slow clients", () => {
  let impatient: TestService;
  beforeAll(async () => {
    impatient = await startTestService({
      http: {
        patience: { ...defaultPatience, headersMs: 80, requestMs: 160, idleMs: 60, checkMs: 20 },
      },
    });
  });
  afterAll(() => impatient.stop());

  test("headers that do not end are given up", async () => {
    const answer = await exchange(impatient.origin, "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body).code).toBe("request_timeout");
  });

  test("a body that does not come is given up", async () => {
    const answer = await exchange(
      impatient.origin,
      "POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    );
    expect(answer.status).toBe(408);
  });

  test("a connection without a request is closed", async () => {
    const connection = await RawConnection.open(impatient.origin);
    connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(await connection.received()).toContain("200 OK");
  });

  test("a client that says nothing at all is given up", async () => {
    const connection = await RawConnection.open(impatient.origin);
    expect((await connection.answer()).status).toBe(408);
  });
});

describe("the way to stop", () => {
  test("a request that has begun is answered, and the connection closed", async () => {
    const own = await startTestService();
    const connection = await RawConnection.open(own.origin);
    connection.send(
      "POST /api/query HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{",
    );
    await own.request("GET", "/healthz");
    const stopped = own.stop();
    connection.send("}");
    const answer = await connection.answer();
    await stopped;
    expect(answer.status).toBe(200);
    expect(answer.headers["connection"]).toBe("close");
  });

  test("it may be called twice, and before the start", async () => {
    const own = await startTestService();
    await own.service.stop();
    await own.stop();
    await expect(own.request("GET", "/healthz", { headers: json })).rejects.toThrow("ECONNREFUSED");
  });
});
