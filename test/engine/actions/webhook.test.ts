import { createHmac } from "node:crypto";
import { Compile } from "typebox/compile";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { webhook } from "../../../src/server/callbacks/actions/webhook.ts";
import { classify } from "../../../src/server/callbacks/classification.ts";
import type { Exchange } from "../../../src/server/lib/exchange.ts";
import type { OutgoingHttp } from "../../../src/server/lib/outgoing-http.ts";
import type { WebhookConfig } from "../../../src/shared/api/callback-configs.ts";
import { actionInput } from "../../support/action-input.ts";
import { openOutgoing } from "../../support/outgoing.ts";
import { ProviderServer, type Fault } from "../../support/provider-server.ts";

const now = Date.parse("2026-11-20T12:00:00.500Z");
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

function signature(id: string, body: string): string {
  const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
  const text = `${id}.${Math.floor(now / 1000)}.${body}`;
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}

function objections(config: Partial<WebhookConfig>) {
  return webhook.objections({ url: "https://target.example/hook", ...config });
}

describe("a webhook", () => {
  let target: ProviderServer;
  let http: OutgoingHttp;
  let exchange: Exchange;
  beforeEach(async () => {
    target = await ProviderServer.listen();
    ({ http } = openOutgoing());
  });
  afterEach(async () => {
    vi.useRealTimers();
    await http.stop();
    await target.close();
  });

  type Occasion = Partial<Parameters<typeof actionInput>[0]>;
  const input = (config: Partial<WebhookConfig> = {}, occasion: Occasion = {}) => {
    const secrets = config.signing_secret === undefined ? [] : [config.signing_secret];
    exchange = http.exchange(secrets, new AbortController().signal);
    const whole: WebhookConfig = { url: `${target.url}/hook`, ...config };
    return actionInput({ now, ...occasion, config: whole, exchange });
  };
  /** What the target received. */
  const sent = async (config: Partial<WebhookConfig> = {}, occasion: Occasion = {}) => {
    await webhook.run(input(config, occasion));
    const received = target.received.at(-1);
    if (!received) throw new Error("nothing was sent");
    const { method, url, message, body } = received;
    const path = url.pathname + url.search;
    return { method, path, headers: message.headers, body: body.toString() };
  };
  const failure = async (config: Partial<WebhookConfig> = {}) => {
    try {
      await webhook.run(input(config));
    } catch (error) {
      return classify(error);
    }
    throw new Error("the run did not fail");
  };

  test("says what happened in JSON when nothing else is written", async () => {
    const { method, path, headers, body } = await sent();
    expect({ method, path }).toEqual({ method: "POST", path: "/hook" });
    expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Waypost" });
    expect(JSON.parse(body)).toEqual({
      event: "stun_port_change",
      rule_name: "nas",
      public_ip: "203.0.113.9",
      public_port: 50_234,
      previous_ip: "203.0.113.9",
      previous_port: 50_001,
      changed: "port",
      run_id: 42,
      timestamp: "2026-11-20T12:00:00.500Z",
    });
    expect(Object.keys(JSON.parse(body) as object)[0]).toBe("event");
  });

  test("says null for the mapping before the first one", async () => {
    const { body } = await sent({}, { previous: null, event: "manual" });
    expect(JSON.parse(body)).toMatchObject({
      event: "manual",
      previous_ip: null,
      previous_port: null,
      changed: "",
    });
  });

  test("fills in its URL, its headers and its body, each by its own rules", async () => {
    const ruleName = 'a "b" & c/d';
    const { path, headers, body } = await sent(
      {
        url: `${target.url}/{{ rule_name }}?port={{ public_port }}&name=#{ruleName}`,
        headers: "X-Rule: {{ rule_name }}\nuser-agent: mine",
        body_template: '{"text": "{{ rule_name }}", "port": {{ public_port }}}',
      },
      { ruleName },
    );
    expect(path).toBe("/a%20%22b%22%20%26%20c%2Fd?port=50234&name=a%20%22b%22%20%26%20c%2Fd");
    expect(headers).toMatchObject({ "x-rule": ruleName, "user-agent": "mine" });
    expect(JSON.parse(body)).toEqual({ text: ruleName, port: 50_234 });
  });

  test.each<[string, Partial<WebhookConfig>, string, string]>([
    [
      "JSON by its look",
      { body_template: ' ["{{ rule_name }}"]' },
      "application/json",
      ' ["a\\"&"]',
    ],
    ["text by its look", { body_template: "{{ rule_name }}" }, "text/plain; charset=utf-8", 'a"&'],
    [
      "JSON by its header",
      { body_template: '"{{ rule_name }}"', headers: "content-type: application/merge-patch+json" },
      "application/merge-patch+json",
      '"a\\"&"',
    ],
    [
      "a form by its header",
      {
        body_template: "name={{ rule_name }}",
        headers: "Content-Type: application/x-www-form-urlencoded; charset=utf-8",
      },
      "application/x-www-form-urlencoded; charset=utf-8",
      "name=a%22%26",
    ],
    [
      "text by its header, though it looks like JSON",
      { body_template: "{ {{ rule_name }} }", headers: "Content-Type: text/plain" },
      "text/plain",
      '{ a"& }',
    ],
  ])("takes a body for %s", async (_what, config, contentType, body) => {
    const received = await sent(config, { ruleName: 'a"&' });
    expect(received.headers["content-type"]).toBe(contentType);
    expect(received.body).toBe(body);
  });

  test("that is a GET sends no body, and signs the empty one", async () => {
    const { method, headers, body } = await sent({
      method: "GET",
      body_template: "never sent",
      signing_secret: SECRET,
    });
    expect({ method, body }).toEqual({ method: "GET", body: "" });
    expect(headers["content-length"] ?? headers["content-type"]).toBe(undefined);
    expect(headers["webhook-signature"]).toBe(signature("run_42", ""));
  });

  test("is signed over the very bytes that are sent, with the id of its run", async () => {
    const config = { signing_secret: SECRET, headers: "Webhook-Id: forged" };
    const first = await sent(config, { ruleName: "Küche" });
    expect(first.headers).toMatchObject({
      "webhook-id": "run_42",
      "webhook-timestamp": String(Math.floor(now / 1000)),
      "webhook-signature": signature("run_42", first.body),
    });
    expect(first.body).toContain("Küche");
    const again = await sent(config, { now: now + 5000 });
    expect(again.headers["webhook-id"]).toBe("run_42");
    expect(again.headers["webhook-timestamp"]).toBe(String(Math.floor(now / 1000) + 5));
    const other = await sent(config, { runId: 43 });
    expect(other.headers["webhook-id"]).toBe("run_43");
  });

  test("keeps its answer", async () => {
    target.answer = () => ({ status: 202, body: "thanks" });
    expect(await webhook.run(input())).toEqual({
      status: "succeeded",
      httpStatus: 202,
      responseBody: "thanks",
    });
  });

  test("fails for good when the text that means success is missing", async () => {
    target.answer = () => ({ status: 200, body: '{"errcode":0}' });
    expect((await webhook.run(input({ success_contains: '"errcode":0' }))).status).toBe(
      "succeeded",
    );
    target.answer = () => ({ status: 200, body: '{"errcode":40001}' });
    expect(await failure({ success_contains: '"errcode":0' })).toMatchObject({
      kind: "permanent",
      errorClass: "success_text_missing",
      httpStatus: 200,
    });
    target.failNext("ten megabytes");
    expect((await failure({ success_contains: "y" }))?.message).toContain("first MiB");
  });

  test.each<[Fault, "transient" | "permanent", string]>([
    ["reset", "transient", "network"],
    ["reset in the body", "transient", "network"],
    ["redirect", "permanent", "http_302"],
    [{ status: 400 }, "permanent", "http_400"],
    [{ status: 404 }, "permanent", "http_404"],
    [{ status: 408 }, "transient", "http_408"],
    [{ status: 425 }, "transient", "http_425"],
    [{ status: 500 }, "transient", "http_500"],
    [{ status: 429 }, "transient", "http_429"],
  ])("that meets %j", async (fault, kind, errorClass) => {
    target.failNext(fault);
    const given = await failure();
    expect(given).toMatchObject({ kind, errorClass });
    expect(target.received).toHaveLength(1);
    expect((await webhook.run(input())).status).toBe("succeeded");
  });

  test("that is asked to wait says for how long", async () => {
    target.failNext({ status: 503, headers: { "retry-after": "77" } });
    expect(await failure()).toMatchObject({ kind: "transient", retryAfterMs: 77_000 });
  });

  test("succeeds with a large answer, of which the beginning is kept", async () => {
    target.failNext("ten megabytes");
    expect((await webhook.run(input())).responseBody).toHaveLength(65_536);
    expect(exchange.records).toEqual([expect.objectContaining({ truncated: true, status: 200 })]);
  });

  test("waits for 30 seconds and no longer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    target.failNext("hang");
    const arrival = target.arrival();
    const failed = failure();
    await arrival;
    vi.advanceTimersByTime(29_999);
    expect(exchange.records).toHaveLength(0);
    vi.advanceTimersByTime(1);
    expect(await failed).toMatchObject({ kind: "transient", errorClass: "timeout" });
  });

  test("sends nothing when its body would be no JSON", async () => {
    const config = { body_template: '{"a": "{{ rule_name | raw }}"}' };
    const broken = input(config, { ruleName: '"' });
    await expect(webhook.run(broken)).rejects.toThrow(/not JSON after substitution/);
    expect(await webhook.test(broken)).toMatchObject({
      ok: false,
      details: { error_class: "template" },
    });
    expect(target.connections).toBe(0);
  });

  test("is tested by an event that says so", async () => {
    const found = await webhook.test(
      input({ signing_secret: SECRET }, { event: "test", runId: 0 }),
    );
    expect(found).toMatchObject({
      ok: true,
      message: 'The target answered 200 to an event "test"',
    });
    const [received] = target.received;
    expect(received?.message.headers["webhook-id"]).toBe(`test_${now}`);
    target.failNext({ status: 500 });
    expect(await webhook.test(input())).toMatchObject({
      ok: false,
      details: { error_class: "http_500" },
    });
  });

  test("shows in a dry run what it would send, without secrets, and sends nothing", async () => {
    const found = await webhook.dryRun(
      input({
        url: `${target.url}/hook?token=in-the-url&a={{ public_port }}`,
        headers: "Authorization: Bearer in-the-header",
        body_template: "port {{ public_port }}, in-the-header",
        signing_secret: SECRET,
      }),
    );
    expect(found).toMatchObject({
      changed: true,
      before: null,
      after: {
        method: "POST",
        url: `${target.url}/hook?token=[redacted]&a=50234`,
        headers: { Authorization: "[redacted]", "webhook-signature": "[redacted]" },
        body: "port 50234, [redacted]",
      },
    });
    expect(target.connections).toBe(0);
  });

  test("leaves no credential on record, though the target says them all", async () => {
    target.answer = ({ message, url }) => ({
      status: 500,
      body: `${JSON.stringify(message.headers)} ${url.search} ${SECRET}`,
    });
    await failure({
      url: `${target.url}/hook?access_token=in-the-url`,
      headers: "Authorization: Bearer in-the-header\nX-Api-Key: in-another",
      signing_secret: SECRET,
    });
    const stored = JSON.stringify(exchange.records);
    expect(stored).not.toMatch(/in-the-url|in-the-header|in-another|MfKQ9r8G/);
    expect(stored).toContain("[redacted]");
  });
});

describe("the config of a webhook", () => {
  const compiled = Compile(webhook.config);
  test("needs a URL only, and knows these fields", () => {
    expect(compiled.Check({ url: "https://target.example/" })).toBe(true);
    expect(compiled.Check({})).toBe(false);
    expect(compiled.Check({ url: "https://target.example/", method: "PUT" })).toBe(false);
    expect(compiled.Check({ url: "https://target.example/", other: 1 })).toBe(false);
    expect(objections({})).toEqual([]);
  });

  test.each<[Partial<WebhookConfig>, string, RegExp]>([
    [{ url: "https://h/{{ publicIp }}" }, "url", /did you mean public_ip/],
    [{ url: "h/path" }, "url", /must be a URL/],
    [{ url: "ftp://h/" }, "url", /http or https/],
    [{ url: "https://user:word@h/" }, "url", /must not hold a user name/],
    [{ url: "https://{{ rule_name | raw }} x/" }, "url", /must be a URL/],
    [{ headers: "Host: other" }, "headers", /^Line 1: the header Host/],
    [{ headers: "X-A: {{ nothing }}" }, "headers", /^Line 1: .*is unknown/],
    [{ body_template: '{"a": {{ public_ip }}}' }, "body_template", /outside quotes/],
    [{ body_template: '{"a": 1' }, "body_template", /not JSON/],
    [{ signing_secret: "whsec_not base64!" }, "signing_secret", /Base64/],
  ])("is refused: %j", (config, path, message) => {
    const [objection] = objections(config);
    expect(objection).toMatchObject({ path, message: expect.stringMatching(message) });
  });

  test("names everything that is wrong at once", () => {
    const config = { url: "{{ a }}", headers: "b", body_template: "{{ c }}" };
    expect(objections(config).map(({ path }) => path)).toEqual(["url", "headers", "body_template"]);
  });
});
