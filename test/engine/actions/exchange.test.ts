import { createServer } from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Exchange, OutgoingRequest } from "../../../src/server/lib/exchange.ts";
import type { OutgoingHttp } from "../../../src/server/lib/outgoing-http.ts";
import { openOutgoing } from "../../support/outgoing.ts";
import { ProviderServer } from "../../support/provider-server.ts";

describe("one exchange", () => {
  let server: ProviderServer;
  let http: OutgoingHttp;
  let exchange: Exchange;
  beforeEach(async () => {
    server = await ProviderServer.listen();
    ({ http } = openOutgoing({ connectTimeoutMs: 300 }));
    exchange = http.exchange(["a-secret"], new AbortController().signal);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await http.stop();
    await server.close();
  });

  const request = (more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
    stage: "write",
    method: "POST",
    url: `${server.url}/path?a=1`,
    headers: { "X-Name": "Küche 厨房" },
    body: "the body with a-secret",
    ...more,
  });
  const failing = (...faults: Parameters<ProviderServer["failNext"]>) => {
    server.failNext(...faults);
    return exchange.send(request());
  };

  test("sends what it was given and returns what came", async () => {
    server.answer = () => ({ status: 201, headers: { "X-A": "1" }, body: "said" });
    const answer = await exchange.send(request());
    expect(answer).toMatchObject({ status: 201, truncated: false, headers: { "x-a": "1" } });
    expect(answer.body.toString()).toBe("said");
    const [received] = server.received;
    expect(received?.body.toString()).toBe("the body with a-secret");
    expect(received?.message.headers.host).toBe(`127.0.0.1:${server.port}`);
    const name = received?.message.headers["x-name"] as string;
    expect(Buffer.from(name, "latin1").toString()).toBe("Küche 厨房");
    expect(`${received?.url.pathname}${received?.url.search}`).toBe("/path?a=1");
  });

  test("is on record without its secrets, once it is over", async () => {
    server.answer = ({ body }) => ({ status: 200, body: `you said: ${body.toString()}` });
    await exchange.send(request());
    expect(exchange.records).toEqual([
      expect.objectContaining({
        stage: "write",
        method: "POST",
        url: `${server.url}/path?a=1`,
        request_headers: { "X-Name": "Küche 厨房" },
        request_body: "the body with [redacted]",
        status: 200,
        response_body: "you said: the body with [redacted]",
        truncated: false,
      }),
    ]);
    expect(exchange.redact("about a-secret")).toBe("about [redacted]");
  });

  test("uses connections again that are still open", async () => {
    for (let count = 0; count < 20; count += 1) await exchange.send(request());
    expect(server.received).toHaveLength(20);
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("has as many connections to one target as it needs: a slow answer holds up nobody", async () => {
    server.failNext("hang", "hang", "hang");
    const stuck = [1, 2, 3].map(() => exchange.send(request()));
    while (server.received.length < 3) await server.arrival();
    expect((await exchange.send(request())).status).toBe(200);
    const ended = Promise.allSettled(stuck);
    await http.stop();
    expect((await ended).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
  });

  test("does not follow a redirect", async () => {
    const answer = await failing("redirect");
    expect(answer).toMatchObject({ status: 302, headers: { location: "http://192.0.2.1/" } });
    expect(server.received).toHaveLength(1);
  });

  test.each(["hang", "hang in the body"] as const)("gives up on a %s", async (fault) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const arrival = server.arrival();
    const failure = failing(fault).catch((error: unknown) => error);
    await arrival;
    vi.advanceTimersByTime(14_999);
    expect(exchange.records).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(await failure).toMatchObject({
      kind: "timeout",
      message: `No answer from 127.0.0.1:${server.port} in 15 s`,
    });
    expect(exchange.records).toEqual([expect.objectContaining({ status: null })]);
  });

  test.each(["reset", "reset in the body"] as const)("tells of a %s", async (fault) => {
    await expect(failing(fault)).rejects.toMatchObject({ kind: "network" });
    expect(exchange.records).toHaveLength(1);
  });

  test("refuses an answer that is too large, or cuts it when told to", async () => {
    await expect(failing("ten megabytes")).rejects.toMatchObject({
      kind: "too_large",
      message: expect.stringContaining("4096 KiB"),
    });
    server.failNext("ten megabytes");
    const cut = await exchange.send(request({ oversize: "cut", largestBytes: 100_000 }));
    expect(cut.body).toHaveLength(100_000);
    expect(cut.truncated).toBe(true);
    expect(exchange.records.at(-1)).toMatchObject({ status: 200, truncated: true });
    expect(exchange.records.at(-1)?.response_body).toHaveLength(65_536);
  });

  test("tells of a target that refuses the connection", async () => {
    const gone = await ProviderServer.listen();
    const url = gone.url;
    await gone.close();
    await expect(exchange.send(request({ url }))).rejects.toMatchObject({
      kind: "network",
      message: expect.stringContaining("refused the connection"),
    });
  });

  test("tells of a certificate that nobody vouches for", async () => {
    const secure = await ProviderServer.listen(undefined, { tls: true });
    await expect(exchange.send(request({ url: secure.url }))).rejects.toMatchObject({
      kind: "tls",
      message: `The certificate of 127.0.0.1:${secure.port} is signed by itself`,
    });
    expect(secure.received).toHaveLength(0);
    await secure.close();
  });

  test("tells of a target that speaks no TLS", async () => {
    const url = server.url.replace("http:", "https:");
    await expect(exchange.send(request({ url }))).rejects.toMatchObject({ kind: "tls" });
  });

  test("gives up when no TLS comes about in time", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    const sent = exchange.send(request({ url: `https://127.0.0.1:${port}/` }));
    await expect(sent).rejects.toMatchObject({ kind: "timeout" });
    silent.close();
  });

  test("tells of a target that speaks no HTTP", async () => {
    const odd = createServer((socket) => socket.end("SSH-2.0-odd\r\n")).listen(0, "127.0.0.1");
    await once(odd, "listening");
    const { port } = odd.address() as { port: number };
    await expect(
      exchange.send(request({ url: `http://127.0.0.1:${port}/` })),
    ).rejects.toMatchObject({
      kind: "network",
      message: expect.stringContaining("did not answer in HTTP"),
    });
    odd.close();
  });

  test("ends when it is told to, with the reason it was given", async () => {
    const controller = new AbortController();
    const ending = http.exchange([], controller.signal);
    server.failNext("hang");
    const arrival = server.arrival();
    const reason = new Error("the service stops");
    const failure = ending.send(request()).catch((error: unknown) => error);
    await arrival;
    controller.abort(reason);
    expect(await failure).toBe(reason);
    expect(ending.records).toHaveLength(1);
  });

  test.each<[string, Partial<OutgoingRequest>, string]>([
    ["another scheme", { url: "ftp://127.0.0.1/" }, "neither http: nor https:"],
    ["a file", { url: "file:///etc/passwd" }, "neither http: nor https:"],
    ["a user", { url: "http://user:word@127.0.0.1/" }, "the URL holds a user name"],
    ["no URL", { url: "127.0.0.1" }, "the URL is not valid"],
    ["a line break", { headers: { "X-A": "1\r\nX-B: 2" } }, "the header X-A would hold"],
  ])("refuses %s before anything is sent", async (_what, more, message) => {
    await expect(exchange.send(request(more))).rejects.toMatchObject({
      kind: "refused_by_policy",
      message: expect.stringContaining(message),
    });
    expect(server.connections).toBe(0);
  });
});
