import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressAfterSignIn } from "../../../src/web/app/sign-in-address.ts";
import { readWish, toQuery, writeWish } from "../../../src/web/find/wish.ts";
import { ApiError } from "../../../src/web/lib/api-error.ts";
import { EventReader } from "../../../src/web/lib/event-reader.ts";
import { showFieldErrors } from "../../../src/web/lib/form-errors.ts";
import { Format } from "../../../src/web/lib/format.ts";
import { toLanguage } from "../../../src/web/lib/i18n.ts";
import {
  pageOfList,
  readFilter,
  readPage,
  writeFilter,
} from "../../../src/web/status/node-filter.ts";

test("amounts take the unit that fits, in the language's way of writing", () => {
  const format = new Format("en");
  expect([0, 0.1234, 999, 999.6, 1000, 12_345].map((value) => format.bandwidth(value))).toEqual([
    "0 Mbit/s",
    "0.123 Mbit/s",
    "999 Mbit/s",
    "1 Gbit/s",
    "1 Gbit/s",
    "12.3 Gbit/s",
  ]);
  expect([0, 0.5, 0.9996, 1, 1500, 1e9].map((value) => format.traffic(value))).toEqual([
    "0 GB",
    "500 MB",
    "1 GB",
    "1 GB",
    "1.5 TB",
    "1 EB",
  ]);
  expect([5, 1500, 90_000, 5_400_000].map((value) => format.duration(value))).toEqual([
    "5 ms",
    "1.5 s",
    "2 min",
    "1 h 30 min",
  ]);
  const now = Date.UTC(2026, 10, 21);
  expect(format.relative(now - 170_000, now)).toBe("3 minutes ago");
  expect(new Format("zh-CN").relative(now + 2 * 86_400_000, now)).toBe("后天");
});

test("the language is the first one that can be met", () => {
  expect(toLanguage(["", "de-DE", "zh-TW", "en"])).toBe("zh-CN");
  expect(toLanguage(["en-GB", "zh"])).toBe("en");
  expect(toLanguage(["fr"])).toBe("en");
});

describe("server-sent events", () => {
  const stream =
    ': beat\n\nevent: stun_rule\ndata: {"id":1}\n\ndata: a\r\ndata: b\r\n\r\nevent: x\n\nid: 4\ndata:c\n\n';
  const events = [
    { event: "stun_rule", data: '{"id":1}' },
    { event: "message", data: "a\nb" },
    { event: "message", data: "c" },
  ];

  test("are put together from pieces cut anywhere", () => {
    const cuts = fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, (places) => {
        const reader = new EventReader();
        const sorted = [0, ...places.toSorted((a, b) => a - b), stream.length];
        const read = sorted.flatMap((start, n) => reader.read(stream.slice(start, sorted[n + 1])));
        expect(read).toEqual(events);
      }),
    );
  });
});

test("after signing in one comes to a page of this app only", () => {
  Object.assign(globalThis, { location: new URL("https://nodes.example.org/sign-in") });
  expect(addressAfterSignIn("/admin/stun?x=1")).toBe("/admin/stun?x=1");
  for (const next of [null, "", "//evil.example/", "https://evil.example/", "/\\evil.example"]) {
    expect(addressAfterSignIn(next)).toBe("/");
  }
});

describe("filters", () => {
  test("are read as they were written", () => {
    const search = "q=a+b&region=domestic&tag=x&relay=1";
    expect(writeFilter(readFilter(new URLSearchParams(search))).toString()).toBe(search);
    expect(writeFilter(readFilter(new URLSearchParams())).toString()).toBe("");
    expect(readFilter(new URLSearchParams("tag= Fast")).tag).toBe("fast");
  });

  test("lead to another page of what fits; a false page is the first", () => {
    const filter = readFilter(new URLSearchParams("q=a+b"));
    expect(pageOfList(filter, 3)).toBe("/?q=a+b&page=3");
    expect(pageOfList(readFilter(new URLSearchParams()), 1)).toBe("/");
    const pages = ["page=3", "page=0", "page=-1", "page=x", "page=1.5", ""].map((each) =>
      readPage(new URLSearchParams(each)),
    );
    expect(pages).toEqual([3, 1, 1, 1, 1, 1]);
  });

  test("a wish asks the service for what differs from its own choice", () => {
    const wish = readWish(new URLSearchParams("region=domestic&priority=latency&limit=7"));
    expect(writeWish(wish).toString()).toBe("region=domestic&priority=latency&limit=7");
    expect(toQuery(wish, [3])).toEqual({
      region: "domestic",
      relay_only: false,
      limit: 7,
      priority: "latency",
      exclude: [3],
    });
    expect(toQuery(readWish(new URLSearchParams()), [])).toEqual({
      region: "all",
      relay_only: false,
      limit: 3,
    });
  });
});

describe("a refusal", () => {
  const refusal = new ApiError(400, {
    error: "connections.0.port: must be a port",
    code: "invalid_request",
    fields: [
      { path: "connections.0.port", message: "must be a port" },
      { path: "unknown", message: "is not wanted" },
    ],
  });
  const shown = (paths: string[]) => {
    let errors: Record<string, string> = {};
    const rest = showFieldErrors(
      { setErrors: (given) => (errors = given), getInputNode: () => null },
      refusal,
      paths,
    );
    return { errors, rest };
  };

  test("stands beside the fields that it names, and above the form when it names others", () => {
    expect(shown(["connections"])).toEqual({
      errors: { "connections.0.port": "Must be a port" },
      rest: refusal,
    });
    expect(shown(["connections", "unknown"]).rest).toBeUndefined();
    expect(shown(["connection"]).errors).toEqual({});
  });
});
