import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../src/server/lib/errors.ts";
import { DAY_MS } from "../../src/server/lib/clock.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import type { NodeRecord } from "../../src/server/nodes/node.ts";
import type { ReadyAnswer } from "../../src/server/public/representation.ts";
import { PublicList } from "../../src/server/public/service.ts";
import { nodeRecord, reportAt } from "../support/fleet-nodes.ts";
import { ManualClock } from "../support/manual-clock.ts";

interface Listed {
  id: number;
  status: string;
}

let clock: ManualClock;
let fleet: Fleet;
let list: PublicList;
beforeEach(() => {
  clock = new ManualClock();
  fleet = new Fleet();
  list = new PublicList(fleet, clock);
});

function put(id: number, fields: Partial<NodeRecord> = {}): number {
  return fleet.put(nodeRecord(id, { createdAt: clock.now(), ...fields }), clock.now());
}

function report(id: number, status = "online", fields = {}): void {
  fleet.applyReport(fleet.slotOf(id) as number, reportAt(clock.now(), { status, ...fields }));
}

function addNodes(count: number): void {
  for (let id = 1; id <= count; id++) put(id);
}

async function ask(acceptEncoding?: string): Promise<ReadyAnswer> {
  return list.answer(acceptEncoding, undefined, {});
}

async function read(words: Record<string, string> = {}): Promise<Listed[]> {
  const { body } = await list.answer(undefined, undefined, words);
  return (JSON.parse(body.toString()) as { nodes: Listed[] }).nodes;
}

async function ids(words: Record<string, string> = {}): Promise<number[]> {
  return (await read(words)).map((node) => node.id);
}

describe("the list", () => {
  test("is empty when there is no node", async () => {
    expect(await read()).toEqual([]);
  });

  test("shows exactly the public fields, in order", async () => {
    put(1, {
      name: `q"\\ \u{1f680}`,
      regionType: "overseas",
      regionDetail: "line\nbreak",
      tierBandwidth: 100.5,
      maxBandwidth: 200,
      maxTraffic: 50,
      maxConnections: 9,
      tags: "a,b",
      allowRelay: true,
    });
    report(1, "draining", { bandwidth: 1.25, connections: 3, usedHigh: 0.1 + 0.2 });
    const [node] = await read();
    expect(Object.entries(node as object)).toEqual([
      ["id", 1],
      ["node_name", `q"\\ \u{1f680}`],
      ["region_type", "overseas"],
      ["region_detail", "line\nbreak"],
      ["current_bandwidth", 1.25],
      ["tier_bandwidth", 100.5],
      ["max_bandwidth", 200],
      ["used_traffic", 0.3],
      ["max_traffic", 50],
      ["connection_count", 3],
      ["max_connections", 9],
      ["tags", "a,b"],
      ["status", "draining"],
      ["allow_relay", 1],
    ]);
  });

  test("begins with the nodes that are online, each part by id", async () => {
    for (const id of [5, 1, 4, 2, 3]) put(id);
    report(4);
    report(2);
    report(1, "draining");
    expect(await ids()).toEqual([2, 4, 1, 3, 5]);
  });

  test("leaves out what is expired or switched off, from midnight on", async () => {
    put(1);
    put(2, { enabled: false });
    put(3, { validUntil: "2026-03-10" });
    put(4, { validUntil: "2026-03-09" });
    expect(await ids()).toEqual([1, 3]);
    clock.set("2026-03-10T23:59:59.999Z");
    expect(await ids()).toEqual([1, 3]);
    clock.advance(1);
    expect(await ids()).toEqual([1]);
  });

  test("shows no traffic once the period is over, without any report", async () => {
    put(1, { resetCycleDays: 1 });
    report(1, "online", { usedHigh: 5 });
    expect(await read()).toMatchObject([{ used_traffic: 5 }]);
    clock.advance(DAY_MS);
    expect(await read()).toMatchObject([{ used_traffic: 0 }]);
  });
});

describe("filters", () => {
  beforeEach(() => {
    put(1, { regionType: "domestic", tags: "Game, fast" });
    put(2, { regionType: "overseas", tags: "game" });
    put(3, { regionType: "domestic", tags: "gamer" });
    report(2);
    report(3, "draining");
  });

  test.each([
    [{ region: "domestic" }, [1, 3]],
    [{ region: "overseas" }, [2]],
    [{ region: "all" }, [2, 1, 3]],
    [{ tag: " GAME " }, [2, 1]],
    [{ tag: "fast" }, [1]],
    [{ tag: "none" }, []],
    [{ status: "online" }, [2]],
    [{ status: "draining" }, [3]],
    [{ status: "offline" }, [1]],
    [{ status: "expired" }, []],
    [{ region: "domestic", tag: "game" }, [1]],
    [{ limit: "1" }, [2]],
    [{ limit: "1", after: "2" }, [1]],
    [{ limit: "9", after: "1" }, [3]],
    [{ after: "0" }, [2, 1, 3]],
    [{ after: "3" }, []],
    [{ unknown: "x" }, [2, 1, 3]],
  ])("%o give %o", async (words, expected) => {
    expect(await ids(words as Record<string, string>)).toEqual(expected);
  });

  test("follow a node that changes", async () => {
    expect(await ids({ tag: "game" })).toEqual([2, 1]);
    put(3, { tags: "game" });
    report(1);
    expect(await ids({ tag: "game" })).toEqual([1, 2, 3]);
  });

  test.each([
    [{ limit: "0" }, "limit"],
    [{ limit: "-1" }, "limit"],
    [{ limit: "1.5" }, "limit"],
    [{ limit: "" }, "limit"],
    [{ limit: "ten" }, "limit"],
    [{ limit: "99999999999999999999" }, "limit"],
    [{ after: "-1" }, "after"],
    [{ after: "x" }, "after"],
    [{ region: "mars" }, "region"],
    [{ region: "" }, "region"],
    [{ tag: "  " }, "tag"],
    [{ tag: "a,b" }, "tag"],
    [{ status: "Online" }, "status"],
    [{ status: "x".repeat(33) }, "status"],
    [{ limit: ["1", "2"] }, "limit"],
  ])("%o are refused", (words, path) => {
    let refusal: unknown;
    try {
      void list.answer(undefined, undefined, words);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: "invalid_request", fields: [{ path }] });
  });

  test("name every parameter that is wrong", () => {
    expect(() => list.answer(undefined, undefined, { limit: "x", after: "y" })).toThrow(
      expect.objectContaining({
        fields: [
          { path: "limit", message: expect.any(String) },
          { path: "after", message: expect.any(String) },
        ],
      }),
    );
  });
});

const readAll = async (limit: number, between: () => void): Promise<number[]> => {
  const seen: number[] = [];
  for (let pages = 0; pages < 100; pages++) {
    const last = seen.at(-1);
    const words = {
      limit: String(limit),
      ...(last === undefined ? {} : { after: String(last) }),
    };
    const page = await ids(words);
    seen.push(...page);
    if (page.length < limit) return seen;
    between();
  }
  throw new Error("the pages do not end");
};

describe("pages", () => {
  test("join to the whole list", async () => {
    addNodes(23);
    for (const id of [3, 9, 20, 21]) report(id);
    for (const limit of [1, 2, 5, 23, 24])
      expect(await readAll(limit, () => {})).toEqual(await ids());
  });

  test("show every node once, although nodes go on and off and come and go between them", async () => {
    const flip = fc.record({
      id: fc.integer({ min: 1, max: 20 }),
      status: fc.constantFrom("online", "draining"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(flip, { maxLength: 6 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        async (rounds, limit) => {
          fleet = new Fleet();
          list = new PublicList(fleet, clock);
          addNodes(20);
          for (let id = 1; id <= 20; id += 2) report(id);
          let created = 20;
          const seen = await readAll(limit, () => {
            for (const { id, status } of rounds.shift() ?? []) report(id, status);
            if (created < 23) put(++created);
          });
          const known = seen.filter((id) => id <= 20);
          expect(known.toSorted((a, b) => a - b)).toEqual(
            Array.from({ length: 20 }, (_, index) => index + 1),
          );
          expect(new Set(seen).size).toBe(seen.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("skip a node that was deleted and end with those that were created", async () => {
    addNodes(6);
    expect(await ids({ limit: "2" })).toEqual([1, 2]);
    fleet.remove(2);
    fleet.remove(3);
    put(7);
    expect(await ids({ limit: "2", after: "2" })).toEqual([4, 5]);
    expect(await ids({ limit: "5", after: "5" })).toEqual([6, 7]);
  });

  test("go on by the order of now behind a node that nobody was shown last", async () => {
    addNodes(6);
    report(2);
    report(5);
    expect(await ids({ after: "2" })).toEqual([5, 1, 3, 4, 6]);
    expect(await ids({ after: "3", limit: "2" })).toEqual([4, 6]);
    expect(await ids({ after: "1000" })).toEqual([1, 3, 4, 6]);
  });

  test("forget an old order after a minute", async () => {
    addNodes(4);
    report(3);
    expect(await ids({ limit: "1" })).toEqual([3]);
    report(3, "draining");
    report(1);
    clock.advance(60_000);
    expect(await ids({ limit: "9", after: "3" })).toEqual([4]);
  });
});

const sorted = (part: Listed[]) =>
  part.every((node, at) => at === 0 || (part[at - 1] as Listed).id < node.id);

describe("freshness", () => {
  test("up to 500 nodes every answer shows the fleet as it is", async () => {
    addNodes(500);
    for (let round = 0; round < 5; round++) {
      report(7, "online", { connections: round });
      expect((await read())[0]).toMatchObject({ id: 7, connection_count: round });
      expect((await read({ limit: "1" }))[0]).toMatchObject({ id: 7, connection_count: round });
    }
  });

  test("beyond that an answer may be older by a hundredth of a millisecond for each node", async () => {
    addNodes(10_000);
    await read();
    report(9000);
    clock.advance(100);
    expect((await ids())[0]).toBe(1);
    clock.advance(1);
    expect((await ids())[0]).toBe(9000);
  });

  test("a fleet that does not change is written once", async () => {
    addNodes(3);
    const first = await list.answer(undefined, undefined, {});
    clock.advance(3_600_000);
    expect(await list.answer(undefined, undefined, {})).toBe(first);
  });

  test("a long list is written in slices, with the fleet of one moment in it", async () => {
    addNodes(9_000);
    let turns = 0;
    const build = { done: false };
    const others = async (): Promise<void> => {
      while (!build.done) {
        await new Promise((resolve) => setImmediate(resolve));
        turns++;
        clock.advance(1);
        report(1 + (turns % 9_000), turns % 2 === 0 ? "online" : "draining");
      }
    };
    const busy = others();
    const nodes = await read();
    build.done = true;
    await busy;
    // Written in five slices and put together in five.
    expect(turns).toBeGreaterThan(7);
    expect(nodes).toHaveLength(9_000);
    const online = nodes.filter((node) => node.status === "online");
    expect(nodes.slice(0, online.length)).toEqual(online);
    expect(sorted(online)).toBe(true);
    expect(sorted(nodes.slice(online.length))).toBe(true);
  });

  test("who asks while the list is being written shares it", async () => {
    addNodes(5_000);
    const answers = await Promise.all([1, 2, 3].map(() => ask()));
    expect(new Set(answers).size).toBe(1);
  });

  test("a filtered long list is whole, too", async () => {
    addNodes(5_000);
    report(3);
    expect(await ids({ status: "offline" })).toHaveLength(4_999);
    expect(await ids({ limit: "2500" })).toHaveLength(2_500);
  });
});

const answer = async (ifNoneMatch?: string): Promise<ReadyAnswer> =>
  list.answer(undefined, ifNoneMatch, {});

describe("conditional requests", () => {
  beforeEach(() => addNodes(2));

  test("are answered 304 without a body while nothing has changed", async () => {
    const { etag } = (await answer()).headers as { etag: string };
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    const same = await answer(etag);
    expect([same.status, same.body.length]).toEqual([304, 0]);
    expect(same.headers).toEqual({
      etag,
      "cache-control": "public, max-age=5",
      vary: "Accept-Encoding",
    });
    report(1);
    const changed = await answer(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers["etag"]).not.toBe(etag);
  });

  test("have a tag that depends on the content alone", async () => {
    report(1);
    const { etag } = (await answer()).headers;
    report(1, "draining");
    expect((await answer()).headers["etag"]).not.toBe(etag);
    report(1);
    expect((await answer()).headers["etag"]).toBe(etag);
  });

  test.each([
    ["in a list", (tag: string) => `"other", ${tag} , W/"more"`, 304],
    ["as a strong tag", (tag: string) => tag.replace("W/", ""), 304],
    ["as a star", () => "*", 304],
    ["not at all", () => `"other", W/"more"`, 200],
    ["without quotes", (tag: string) => tag.replaceAll('"', ""), 200],
    ["as a part of another", (tag: string) => tag.replace('W/"', 'W/"x'), 200],
    ["as nothing", () => "", 200],
  ])("that name the tag %s", async (_title, toHeader, status) => {
    const { etag } = (await answer()).headers as { etag: string };
    expect((await answer(toHeader(etag))).status).toBe(status);
  });
});

const codingFor = async (acceptEncoding: string | undefined): Promise<string> => {
  const { headers } = await list.answer(acceptEncoding, undefined, {});
  return headers["content-encoding"] ?? "identity";
};

describe("compression", () => {
  beforeEach(() => addNodes(50));

  test.each([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["gzip;q=0", "identity"],
    ["*", "br"],
    ["*;q=0.5, br;q=0", "gzip"],
    ["identity;q=1, gzip;q=0.5", "identity"],
    ["identity;q=0.5, gzip;q=0.5", "gzip"],
    ["identity;q=0", "identity"],
    ["*;q=0", "identity"],
    ["deflate", "identity"],
    ["gzip;q=2", "identity"],
    ["gzip ; q=0.3 , br ; q=0.2", "gzip"],
    ["zstd", "identity"],
  ])("for %j is %s", async (acceptEncoding, coding) => {
    expect(await codingFor(acceptEncoding)).toBe(coding);
  });

  test("gives the same content in every form, and the same tag", async () => {
    const plain = await list.answer(undefined, undefined, {});
    const zipped = await list.answer("gzip", undefined, {});
    const brotli = await list.answer("br", undefined, {});
    expect(gunzipSync(zipped.body)).toEqual(plain.body);
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(zipped.body.length).toBeLessThan(plain.body.length / 2);
    for (const { headers } of [plain, zipped, brotli]) {
      expect(headers).toMatchObject({ etag: plain.headers["etag"], vary: "Accept-Encoding" });
    }
  });

  test("is done once for a list that does not change", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => ask("br")));
    expect(second).toBe(first);
    expect(list.answer("br", undefined, {})).toBe(first);
  });

  test("is left out for a short body", async () => {
    const { headers } = await list.answer("gzip", undefined, { limit: "1" });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["vary"]).toBe("Accept-Encoding");
  });
});
