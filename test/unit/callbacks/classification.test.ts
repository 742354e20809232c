import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ActionError } from "../../../src/server/callbacks/actions/action.ts";
import { triggers } from "../../../src/shared/api/callbacks.ts";
import {
  changedParts,
  eventOf,
  fires,
  type Mapping,
} from "../../../src/server/callbacks/change.ts";
import { classify, retryDelayMs } from "../../../src/server/callbacks/classification.ts";
import { TemplateError } from "../../../src/server/callbacks/template-error.ts";
import { ExchangeError } from "../../../src/server/lib/exchange-error.ts";
import { isTransientStatus, statusError } from "../../../src/server/lib/http-status.ts";
import { parseRetryAfter } from "../../../src/shared/retry-after.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");

function at(publicIp: string, publicPort: number): Mapping {
  return { publicIp, publicPort };
}

describe("a change", () => {
  const old = at("192.0.2.1", 1000);

  test.each([
    ["ip only", at("192.0.2.2", 1000), "stun_ip_change", [true, false, true]],
    ["port only", at("192.0.2.1", 1001), "stun_port_change", [false, true, true]],
    ["both", at("192.0.2.2", 1001), "stun_ip_and_port_change", [true, true, true]],
  ] as const)("of %s starts the tasks it should", (_name, next, event, started) => {
    const changed = changedParts(old, next);
    expect(eventOf(changed)).toBe(event);
    expect(triggers.map((trigger) => fires(trigger, changed))).toEqual(started);
  });

  test("is none when nothing moved or nothing was known", () => {
    expect(changedParts(old, { ...old })).toEqual([]);
    expect(changedParts(null, old)).toEqual([]);
    expect(triggers.filter((trigger) => fires(trigger, []))).toEqual([]);
    expect(() => eventOf([])).toThrow("nothing changed");
  });
});

describe("Retry-After", () => {
  test.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
    ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
    ["999999999", 86_400_000],
    ["Fri, 20 Nov 2099 11:00:00 GMT", 86_400_000],
    ["-1", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["2026-11-20", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j is %s ms", (value, expected) => {
    expect(parseRetryAfter(value, NOW)).toBe(expected);
  });
});

describe("a failure", () => {
  test.each([
    [408, "transient"],
    [425, "transient"],
    [429, "transient"],
    [500, "transient"],
    [503, "transient"],
    [599, "transient"],
    [301, "permanent"],
    [400, "permanent"],
    [401, "permanent"],
    [404, "permanent"],
    [410, "permanent"],
    [422, "permanent"],
  ] as const)("with status %i is %s", (status, kind) => {
    expect(isTransientStatus(status)).toBe(kind === "transient");
    const answer = { status, headers: { "retry-after": "7" } };
    const error = statusError(answer, "It", "so", NOW);
    expect(classify(error)).toMatchObject({
      kind,
      errorClass: `http_${status}`,
      message: `It answered ${status}: so`,
      retryAfterMs: 7000,
      httpStatus: status,
    });
  });

  test.each([
    ["network", "transient"],
    ["timeout", "transient"],
    ["tls", "transient"],
    ["refused_by_policy", "permanent"],
    ["too_large", "permanent"],
  ] as const)("of the exchange that is called %s is %s", (kind, expected) => {
    const failure = classify(new ExchangeError(kind, "why"));
    expect(failure).toMatchObject({ kind: expected, errorClass: kind, message: "why" });
  });

  test("of a template is permanent; what is no failure of the target is not classified", () => {
    expect(classify(new TemplateError("why"))?.kind).toBe("permanent");
    expect(classify(new ActionError("transient", "locked", "why"))?.errorClass).toBe("locked");
    expect(classify(new Error("ours"))).toBe(undefined);
    expect(classify("ours")).toBe(undefined);
  });
});

describe("the schedule", () => {
  const seconds = [5, 15, 60, 300, 900, 3600];

  test("waits longer each time, give or take a fifth, and ends", () => {
    for (const [index, expected] of seconds.entries()) {
      expect(retryDelayMs(index + 1, undefined, () => 0)).toBe(expected * 800);
      expect(retryDelayMs(index + 1, undefined, () => 0.5)).toBe(expected * 1000);
      expect(retryDelayMs(index + 1, undefined, () => 1)).toBe(expected * 1200);
    }
    expect(retryDelayMs(7, 1000, () => 0.5)).toBe(undefined);
  });

  test("never comes before the target asked for, nor before its own time", () => {
    const retryAfter = fc.integer({ min: 0, max: 86_400_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        retryAfter,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (failures, ms, chance) => {
          const delay = retryDelayMs(failures, ms, () => chance) ?? -1;
          expect(delay).toBeGreaterThanOrEqual(ms);
          expect(delay).toBeGreaterThanOrEqual((seconds[failures - 1] ?? 0) * 800);
          expect(delay).toBeLessThanOrEqual(Math.max(ms, (seconds[failures - 1] ?? 0) * 1200));
        },
      ),
    );
  });
});
