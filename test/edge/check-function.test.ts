import { beforeEach, describe, expect, test } from "vitest";
import { Access } from "../../src/edge/access.ts";
import { createCheckFunction, type CheckFunction } from "../../src/edge/check-function.ts";
import { Probe } from "../../src/probe/probe.ts";
import { Slots } from "../../src/probe/slots.ts";
import { TargetPolicy } from "../../src/probe/target-policy.ts";
import { namesAre, nodeOf, SilentNetwork } from "../support/checks.ts";
import { ManualClock } from "../support/manual-clock.ts";

const ORIGIN = "https://checks.example";
const CALLER = "203.0.113.9";
const node = nodeOf("tcp://127.0.0.1:1");

let clock: ManualClock;
let network: SilentNetwork;
let defects: unknown[];

beforeEach(() => {
  clock = new ManualClock();
  network = new SilentNetwork();
  defects = [];
});

interface Options {
  apiKey?: string;
  rateLimit?: boolean;
  probe?: Pick<Probe, "check">;
}

/** Everything is refused by the policy, unless a probe is given: no check takes any time. */
function build({ apiKey, rateLimit = true, probe }: Options = {}): CheckFunction {
  const parts = { sockets: network, resolver: namesAre({}), now: () => 0 };
  return createCheckFunction({
    access: new Access({ apiKey, rateLimit }, clock),
    places: new Slots(64, 256),
    policyFor: () => new TargetPolicy("public", []),
    probeFor: () => probe ?? new Probe(parts),
    clock,
    onDefect: (error) => defects.push(error),
  });
}

function get(path: string, init: RequestInit = {}): Request {
  return new Request(`${ORIGIN}/api/edgecheck/${path}`, init);
}

const query = new URLSearchParams({ ...node }).toString();
const single = (init: RequestInit = {}) => get(`check?${query}`, init);

function batch(count: number, init: RequestInit = {}): Request {
  const nodes = Array.from({ length: count }, () => node);
  return get("batch-check", { method: "POST", body: JSON.stringify({ nodes }), ...init });
}

/** JSON that says so. */
const json = { headers: { "content-type": "application/json" } };

async function bodyOf(response: Response): Promise<unknown> {
  return JSON.parse(await response.text());
}

describe("one caller", () => {
  test("may have 30 checks at once and then one every two seconds; health is free", async () => {
    const check = build();
    for (let n = 0; n < 30; n++) expect((await check(single(), CALLER)).status).toBe(200);
    const refused = await check(single(), CALLER);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(await bodyOf(refused)).toEqual({
      error: "Only 30 checks a minute are done for one caller; try again in 2 s",
      code: "rate_limited",
    });
    expect((await check(get("health"), CALLER)).status).toBe(200);
    expect((await check(single(), "198.51.100.1")).status).toBe(200);
    clock.advance(2000);
    expect((await check(single(), CALLER)).status).toBe(200);
    expect((await check(single(), CALLER)).status).toBe(429);
  });

  test("has a batch counted as its nodes, and a refused one not at all", async () => {
    const check = build();
    expect((await check(batch(20, json), CALLER)).status).toBe(200);
    expect((await check(batch(11, json), CALLER)).status).toBe(429);
    expect((await check(batch(10, json), CALLER)).status).toBe(200);
    expect((await check(single(), CALLER)).status).toBe(429);
  });

  test("may have as many as there are when the limit is lifted", async () => {
    const check = build({ rateLimit: false });
    for (let n = 0; n < 10; n++) expect((await check(batch(20, json), CALLER)).status).toBe(200);
  });
});

function withKey(key: string): Request {
  return get("health", { headers: { "x-api-key": key } });
}

describe("the key", () => {
  const KEY = "the-key-of-the-checks";

  test("is asked for before anything else is said, but for what is not there", async () => {
    const check = build({ apiKey: KEY });
    const answers = [
      get("check"),
      get("batch-check", { method: "POST", body: "{" }),
      get("health"),
    ];
    for (const request of answers) {
      const answer = await check(request, CALLER);
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("ApiKey");
    }
    expect((await check(get("nothing"), CALLER)).status).toBe(404);
    expect((await check(get("check", { method: "PUT" }), CALLER)).status).toBe(405);
  });

  test("opens when it is right to the last character", async () => {
    const check = build({ apiKey: KEY });
    expect((await check(withKey(KEY), CALLER)).status).toBe(200);
    for (const wrong of [`${KEY}x`, KEY.slice(1), KEY.toUpperCase(), "x"]) {
      const refused = await check(withKey(wrong), CALLER);
      expect(refused.status).toBe(401);
      expect(await bodyOf(refused)).toEqual({
        error: "The key in X-API-Key is wrong",
        code: "unauthorized",
      });
    }
  });

  test("cannot be found by trying: the right one is refused as well after 30 wrong ones", async () => {
    const check = build({ apiKey: KEY });
    for (let n = 0; n < 30; n++) {
      expect((await check(withKey(`wrong ${n}`), CALLER)).status).toBe(401);
    }
    expect((await check(withKey(KEY), CALLER)).status).toBe(429);
    expect((await check(withKey(KEY), "198.51.100.1")).status).toBe(200);
    clock.advance(2000);
    expect((await check(withKey(KEY), CALLER)).status).toBe(200);
  });
});

describe("all callers together", () => {
  const policy = new TargetPolicy("any", []);
  let probe: Probe;

  beforeEach(() => {
    const silent = new Probe({
      sockets: network,
      resolver: namesAre({}),
      now: () => performance.now(),
      timeoutMs: 25_000,
    });
    probe = { check: (target, _, signal) => silent.check(target, policy, signal) } as Probe;
  });

  test("have 64 checks at once and 256 waiting; the next batch is refused until places are free", async () => {
    const check = build({ rateLimit: false, probe });
    const callers = Array.from({ length: 16 }, () => new AbortController());
    const running = callers.map(({ signal }) => check(batch(20, { ...json, signal }), CALLER));
    await expect.poll(() => network.started).toBe(64);
    const refused = await check(batch(1, json), CALLER);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    callers[0]?.abort();
    await running[0];
    await expect.poll(() => network.started).toBeGreaterThan(64);
    expect((await check(get("health"), CALLER)).status).toBe(200);
    for (const caller of callers) caller.abort();
    await Promise.all(running);
    expect(network.ended).toBe(network.started);
    const after = build({ rateLimit: false });
    expect((await after(batch(20, json), CALLER)).status).toBe(200);
  });

  test("have nothing done for those who have gone", async () => {
    const check = build({ rateLimit: false, probe });
    const caller = new AbortController();
    const running = check(single({ signal: caller.signal }), CALLER);
    await expect.poll(() => network.started).toBe(1);
    caller.abort();
    await running;
    await expect.poll(() => network.ended).toBe(1);
    expect(defects).toEqual([]);
  });
});

test("HEAD is answered like GET without the body, refusals too", async () => {
  const check = build();
  for (const [path, status] of [
    ["health", 200],
    [`check?${query}`, 200],
    ["check", 400],
    ["nothing", 404],
  ] as const) {
    const answer = await check(get(path, { method: "HEAD" }), CALLER);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe("");
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  }
});

test("a defect is answered with a sentence, told to whoever watches, and says nothing of the request", async () => {
  const probe = { check: () => Promise.reject(new Error("out of sockets")) };
  const answer = await build({ probe })(single(), CALLER);
  expect(answer.status).toBe(500);
  expect(await bodyOf(answer)).toEqual({
    error: "Something went wrong in the check function",
    code: "internal",
  });
  expect(defects).toEqual([new Error("out of sockets")]);
});

test("a body is refused as soon as it is too long, whatever its length is said to be", async () => {
  let taken = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += 10_000;
      controller.enqueue(new Uint8Array(10_000).fill(32));
    },
  });
  const request = get("batch-check", { method: "POST", body: endless, duplex: "half" });
  const answer = await build()(request, CALLER);
  expect(answer.status).toBe(413);
  expect(taken).toBeLessThan(100_000);
});
