import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Compile } from "typebox/compile";
import type { ActionInput } from "../../../src/server/callbacks/actions/action.ts";
import { classify } from "../../../src/server/callbacks/classification.ts";
import type { Mapping } from "../../../src/server/callbacks/change.ts";
import { toTemplateValues } from "../../../src/server/callbacks/template-values.ts";
import type { Exchange } from "../../../src/server/lib/exchange.ts";
import type { OutgoingHttp } from "../../../src/server/lib/outgoing-http.ts";
import { accountSecrets, type AccountType } from "../../../src/shared/api/callbacks.ts";
import { openOutgoing } from "../../support/outgoing.ts";
import type { Fault } from "../../support/provider-server.ts";
import { NOW, providerCases, type ProviderCase } from "./provider-cases.ts";

const OLD: Mapping = { publicIp: "203.0.113.9", publicPort: 50_001 };
const NEW: Mapping = { publicIp: "203.0.113.9", publicPort: 50_234 };

/** What changes with every write. */
function withoutVersion(rule: unknown): unknown {
  const { version: _version, last_updated: _updated, ...rest } = rule as Record<string, unknown>;
  return rest;
}

describe.each(Object.entries(providerCases))("the action at %s", (_name, open) => {
  let provider: ProviderCase;
  let http: OutgoingHttp;
  let exchange: Exchange;
  beforeEach(async () => {
    provider = await open();
    ({ http } = openOutgoing());
  });
  afterEach(async () => {
    vi.useRealTimers();
    await http.stop();
    await provider.server.close();
  });

  function input(mapping: Mapping, config: Record<string, unknown> = {}): ActionInput {
    exchange = http.exchange([provider.secret], new AbortController().signal);
    return {
      config: { ...provider.config, ...config },
      mapping,
      previous: OLD,
      values: toTemplateValues({
        rule: { id: 1, name: "nas", transport: "tcp" },
        mapping,
        previous: OLD,
        event: "manual",
        runId: 1,
        at: NOW,
      }),
      exchange,
      run: { id: 1, attempt: 1 },
      now: () => NOW,
    };
  }
  const run = (mapping = NEW, config = {}) => provider.action.run(input(mapping, config));
  /** What a run that fails ends with. */
  const failure = async (mapping = NEW, config = {}) => {
    try {
      await run(mapping, config);
    } catch (error) {
      return classify(error);
    }
    throw new Error("the run did not fail");
  };
  const writes = () =>
    provider.server.received.filter(({ method, message }) =>
      provider.isWrite({ method, headers: message.headers }),
    );
  const snapshot = () => JSON.stringify(provider.rule());

  test("takes its own config, and nothing else in it", () => {
    const compiled = Compile(provider.action.config);
    expect(compiled.Check(provider.config)).toBe(true);
    expect(compiled.Check({ ...provider.config, other: 1 })).toBe(false);
    for (const name of accountSecrets[provider.action.type as AccountType])
      expect(provider.config[name]).toBe(provider.secret);
    expect(provider.action.objections(provider.config)).toEqual([]);
    const wrong = { ...provider.config, base_url: "https://user@host/?a=1" };
    expect(provider.action.objections(wrong)).toMatchObject([{ path: "base_url" }]);
  });

  test("writes the port and leaves everything else as it was", async () => {
    const before = snapshot();
    expect(await run()).toMatchObject({
      status: "succeeded",
      httpStatus: 200,
      responseBody: expect.stringContaining("50234"),
    });
    expect(new Set(provider.ports())).toEqual(new Set([50_234]));
    const expected: unknown = JSON.parse(before.replaceAll("50001", "50234"));
    expect(withoutVersion(JSON.parse(snapshot()))).toEqual(withoutVersion(expected));
    expect(exchange.records.map(({ stage }) => stage)).toEqual(["read", "write", "verify"]);
    expect(writes()).toHaveLength(1);
  });

  test("writes nothing when the port is there already", async () => {
    expect(await run(OLD)).toMatchObject({
      status: "skipped",
      note: expect.stringContaining("50001"),
    });
    expect(exchange.records.map(({ stage }) => stage)).toEqual(["read"]);
    await run();
    expect((await run()).status).toBe("skipped");
    expect(writes()).toHaveLength(1);
  });

  test("tells in a dry run what it would change, and changes nothing", async () => {
    const before = snapshot();
    const found = await provider.action.dryRun(input(NEW));
    expect(found.changed).toBe(true);
    expect(JSON.stringify(found.before)).toContain("50001");
    expect(JSON.stringify(found.after)).toBe(
      JSON.stringify(found.before).replaceAll("50001", "50234"),
    );
    expect((await provider.action.dryRun(input(OLD))).changed).toBe(false);
    expect(snapshot()).toBe(before);
    expect(writes()).toHaveLength(0);
  });

  test("says in a test what it found, and only reads", async () => {
    const before = snapshot();
    const found = await provider.action.test(input(NEW));
    expect(found).toMatchObject({ ok: true, message: expect.stringContaining("The rule nas") });
    expect(JSON.stringify(found)).toContain("50001");
    expect(snapshot()).toBe(before);
    expect(writes()).toHaveLength(0);
  });

  test("says that the secret is wrong", async () => {
    const { config, errorClass } = provider.wrongSecret;
    expect(await failure(NEW, config)).toMatchObject({ kind: "permanent", errorClass });
    expect(await provider.action.test(input(NEW, config))).toMatchObject({
      ok: false,
      details: { error_class: errorClass },
    });
  });

  test("says that there is no such rule", async () => {
    const { config, errorClass } = provider.missingRule;
    expect(await failure(NEW, config)).toMatchObject({ kind: "permanent", errorClass });
    expect(writes()).toHaveLength(0);
  });

  test("tries again later when it is too much for the provider", async () => {
    provider.server.failNext(provider.limited);
    const given = await failure();
    expect(given?.kind).toBe("transient");
    expect(given?.retryAfterMs).toBe(provider.limitedForMs);
  });

  test("comes through after three failures of the provider", async () => {
    provider.server.failNext(provider.broken, provider.broken, provider.broken);
    for (let count = 0; count < 3; count += 1) expect((await failure())?.kind).toBe("transient");
    expect((await run()).status).toBe("succeeded");
  });

  test.each<[Fault, "transient" | "permanent", string]>([
    ["reset", "transient", "network"],
    ["reset in the body", "transient", "network"],
    ["web page", "transient", "not_json"],
    ["broken JSON", "transient", "not_json"],
    ["ten megabytes", "permanent", "too_large"],
    ["redirect", "permanent", "http_302"],
    [{ status: 500, body: "{}" }, "transient", "http_500"],
    [{ status: 404, body: "[]" }, "permanent", "http_404"],
  ])("ends in a true state when the provider would %j", async (fault, kind, errorClass) => {
    const [before, isCloudflare] = [snapshot(), provider.action.type.startsWith("cloudflare")];
    provider.server.failNext(fault);
    const given = await failure();
    expect(given?.kind).toBe(kind);
    const renamed = isCloudflare && errorClass === "http_404" ? "no_origin_rules" : errorClass;
    expect(given?.errorClass).toBe(renamed);
    expect(snapshot()).toBe(before);
    // The same after the write: what was written stands, and the next try finds it.
    provider.server.failNext(undefined, undefined, fault);
    expect((await failure())?.kind).toBe(kind);
    expect((await run()).status).toBe("skipped");
    expect(writes()).toHaveLength(1);
  });

  test("does not wait forever", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    provider.server.failNext("hang");
    const arrival = provider.server.arrival();
    const failed = failure();
    await arrival;
    vi.advanceTimersByTime(15_000);
    expect(await failed).toMatchObject({ kind: "transient", errorClass: "timeout" });
  });

  test("names the fields that changed beside its own", async () => {
    provider.afterWrite((rule) => {
      const name = ["description", "OriginHost", "Status"].find((each) => each in rule) ?? "";
      rule[name] = "somebody else's";
    });
    const given = await failure();
    expect(given).toMatchObject({ kind: "permanent", errorClass: "other_fields_changed" });
    expect(given?.message).toMatch(/other fields changed, too: (description|OriginHost|Status)$/);
  });

  test("tries again when the port does not show after the write", async () => {
    const before = structuredClone(provider.rule());
    provider.afterWrite((rule) => Object.assign(rule, before));
    expect(await failure()).toMatchObject({ kind: "transient", errorClass: "not_in_effect" });
  });

  test("leaves no secret on record, whatever the provider says", async () => {
    const echo = `wrong: ${provider.secret} ${encodeURIComponent(provider.secret)}`;
    await run();
    const records = [...exchange.records];
    provider.server.failNext({
      status: 400,
      headers: { "x-echo": provider.secret },
      body: {
        success: false,
        errors: [{ code: 1, message: echo }],
        Code: "Bad",
        Message: echo,
        Response: { Error: { Code: "Bad", Message: echo } },
      },
    });
    const given = await failure();
    const stored = JSON.stringify([...records, ...exchange.records, given]);
    expect(given?.message).toContain("[redacted]");
    expect(stored).not.toContain(provider.secret);
    expect(stored).not.toMatch(/Signature=[\da-f]{64}/);
  });
});
