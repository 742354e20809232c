import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExchangeError } from "../../../src/server/lib/exchange-error.ts";
import type { WantedSet } from "../../../src/server/domains/record-set.ts";
import type { DomainRecord } from "../../../src/shared/api/domains.ts";
import {
  CURRENT,
  DomainPublishing,
  IPV6,
  PREVIOUS,
  type Attempt,
} from "../../support/domain-publishing.ts";
import type { ZoneRecord } from "../../support/zone-file.ts";
import { worlds, type ZoneWorld } from "./worlds.ts";

const TTL = 7200;
const seed = (name: string, type: string, value: string): ZoneRecord => ({
  name: `${name}.example.com`,
  type,
  ttl: TTL,
  value,
});

/** What others have put there, and what was published before. */
const seeds: readonly ZoneRecord[] = [
  seed("other", "A", "192.0.2.200"),
  seed("one", "A", "192.0.2.1"),
  seed("one", "TXT", '"of others"'),
  seed("same", "A", CURRENT.publicIp),
  seed("many", "A", "192.0.2.1"),
  seed("many", "A", "192.0.2.2"),
  seed("mixed", "A", PREVIOUS.publicIp),
  seed("mixed", "A", "192.0.2.2"),
  seed("both", "A", PREVIOUS.publicIp),
  seed("both", "A", CURRENT.publicIp),
  seed("both", "A", "192.0.2.2"),
  seed("mine", "A", "192.0.2.77"),
  seed("mine", "A", "192.0.2.2"),
  seed("_x._tcp", "SRV", "5 7 40000 old.example.com."),
  seed("_set._tcp", "SRV", "5 7 40000 old.example.com."),
  seed("svc", "HTTPS", "1 . alpn=h2,h3 port=40000 ipv4hint=192.0.2.9"),
  seed("txt", "TXT", '"198.51.100.7:50001"'),
  seed("lower", "A", "192.0.2.5"),
  seed("fails", "A", "192.0.2.6"),
];

const srv = (host: string): string => `10 10 11010 ${host}.example.com.`;

const record = (name: string, type: DomainRecord["type"], rest: Partial<DomainRecord> = {}) => ({
  name: `${name}.example.com`,
  type,
  ...rest,
});

describe.each(worlds)("records at %s", (_name, open) => {
  let world: ZoneWorld;
  let publishing: DomainPublishing;
  beforeAll(async () => {
    world = await open(seeds);
    publishing = new DomainPublishing(world.provider, world.config);
  });
  afterAll(async () => {
    await publishing.close();
    await world.stop();
  });

  const look = async (name: string, type = "A") =>
    (await world.look(`${name}.example.com`, type)).map(({ value }) => value).toSorted();
  const lookAtTtls = async (name: string, type = "A") =>
    new Set((await world.look(`${name}.example.com`, type)).map(({ ttl }) => ttl));
  /** `<result>` of each record. */
  const publish = async (records: DomainRecord[], given = {}) => {
    const { results } = await publishing.publish(records, given);
    return results.map(({ result }) => result);
  };
  const writesDuring = async (work: () => Promise<unknown>) => {
    const before = world.writes?.() ?? 0;
    await work();
    return (world.writes?.() ?? 0) - before;
  };

  test("are kept as whole sets, and withdrawn again, beside values of others", async () => {
    const name = "_set._tcp";
    const set = (values: string[], ours: string[]): WantedSet => ({
      name: `${name}.example.com`,
      type: "SRV",
      ttlSeconds: 3600,
      values,
      ours,
      mayShare: true,
    });
    const others = "5 7 40000 old.example.com.";
    const bring = async (values: string[], ours: string[]) => {
      const results = await publishing.publishSets([set(values, ours)]);
      return results.map(({ result, error }) => error?.message ?? result);
    };
    expect(await bring([srv("a"), srv("b")], [])).toEqual(["updated"]);
    expect(await look(name, "SRV")).toEqual([srv("a"), srv("b"), others].toSorted());
    expect(await bring([srv("b"), srv("a")], [])).toEqual(["current"]);
    expect(await bring([srv("b"), srv("c")], [srv("a"), srv("b")])).toEqual(["updated"]);
    expect(await look(name, "SRV")).toEqual([srv("b"), srv("c"), others].toSorted());
    expect(await bring([], [srv("b"), srv("c")])).toEqual(["updated"]);
    expect(await look(name, "SRV")).toEqual([others]);

    const text: WantedSet = {
      name: "whole.example.com",
      type: "TXT",
      ttlSeconds: 3600,
      values: ['"tcp://203.0.113.7:11010 wss://relay.example.org:443"'],
      ours: [],
      mayShare: false,
    };
    const [made] = await publishing.publishSets([text]);
    expect([made?.error?.message, made?.result]).toEqual([undefined, "updated"]);
    expect(await look("whole", "TXT")).toEqual(text.values);
    await publishing.publishSets([{ ...text, values: [], ours: text.values }]);
    expect(await look("whole", "TXT")).toEqual([]);
  });

  test("that are missing are made, of every type, in one run", async () => {
    const records = [
      record("new", "A"),
      record("new", "TXT"),
      record("_new._udp", "SRV", { target: "new.example.com", ttl: 3600 }),
      record("new", "HTTPS", { alpn: ["h2", "h3"] }),
      record("ip4p", "AAAA", { ip4p: true }),
    ];
    expect(await publish(records)).toEqual(Array(5).fill("updated"));
    expect(await look("new")).toEqual(["203.0.113.9"]);
    expect(await look("new", "TXT")).toEqual(['"203.0.113.9:50234"']);
    expect(await look("_new._udp", "SRV")).toEqual(["0 0 50234 new.example.com."]);
    expect(await lookAtTtls("_new._udp", "SRV")).toEqual(new Set([3600]));
    expect(await look("new", "HTTPS")).toEqual(["1 . alpn=h2,h3 port=50234"]);
    expect(await look("ip4p", "AAAA")).toEqual(["2001::c43a:cb00:7109"]);
    expect(await publish(records)).toEqual(Array(5).fill("current"));
  });

  test("are written for an IPv6 address, too", async () => {
    const records = [
      record("six", "AAAA"),
      record("six", "A"),
      record("p6", "AAAA", { ip4p: true }),
    ];
    const results = await publish(records, { address: IPV6, previous: null });
    expect(results).toEqual(["updated", "skipped", "skipped"]);
    expect(await look("six", "AAAA")).toEqual(["2001:db8::9"]);
    expect([await look("six"), await look("p6", "AAAA")]).toEqual([[], []]);
  });

  test("that say something else are replaced, and keep their TTL", async () => {
    expect(await publish([record("One", "A", { name: "One.Example.COM." })])).toEqual(["updated"]);
    expect(await look("one")).toEqual(["203.0.113.9"]);
    expect(await lookAtTtls("one")).toEqual(new Set([TTL]));
    expect(await look("one", "TXT")).toEqual(['"of others"']);
    expect(await look("other")).toEqual(["192.0.2.200"]);
  });

  test("that say the right thing are not written", async () => {
    const written = await writesDuring(async () => {
      expect(await publish([record("same", "A")])).toEqual(["current"]);
    });
    expect(written).toBe(0);
    expect(await lookAtTtls("same")).toEqual(new Set([TTL]));
  });

  test("with several values of others are left alone, and that is said", async () => {
    const { results } = await publishing.publish([record("many", "A"), record("same", "A")]);
    expect(results[0]).toMatchObject({
      result: "failed",
      error: {
        kind: "permanent",
        errorClass: "several_values",
        message: expect.stringMatching(/192\.0\.2\.[12], 192\.0\.2\.[12]/) as unknown,
      },
    });
    expect(results[1]?.result).toBe("current");
    expect(await look("many")).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  test("with several values have the previous one replaced alone", async () => {
    expect(await publish([record("mixed", "A")])).toEqual(["updated"]);
    expect(await look("mixed")).toEqual(["192.0.2.2", "203.0.113.9"]);
    expect(await publish([record("mixed", "A")])).toEqual(["current"]);
  });

  test("that say the right thing beside the previous one lose the previous one", async () => {
    expect(await publish([record("both", "A")])).toEqual(["updated"]);
    expect(await look("both")).toEqual(["192.0.2.2", "203.0.113.9"]);
  });

  test("know what was published last when changes in between were never published", async () => {
    publishing.memory.set("mine.example.com A", "192.0.2.77");
    expect(await publish([record("mine", "A")], { previous: null })).toEqual(["updated"]);
    expect(await look("mine")).toEqual(["192.0.2.2", "203.0.113.9"]);
    expect(publishing.memory.get("mine.example.com A")).toBe("203.0.113.9");
  });

  test("keep priorities, weights and parameters that are not ours", async () => {
    const records = [
      record("_x._tcp", "SRV", { target: "home.example.com", weight: 9 }),
      record("svc", "HTTPS"),
    ];
    expect(await publish(records)).toEqual(["updated", "updated"]);
    expect(await look("_x._tcp", "SRV")).toEqual(["5 9 50234 home.example.com."]);
    expect(await look("svc", "HTTPS")).toEqual(["1 . alpn=h2,h3 port=50234 ipv4hint=192.0.2.9"]);
  });

  test("get the TTL that is asked for, also when nothing else differs", async () => {
    const { publicIp } = CURRENT;
    expect(await publish([record("lower", "A", { ttl: 3600 })])).toEqual(["updated"]);
    expect([await look("lower"), await lookAtTtls("lower")]).toEqual([[publicIp], new Set([3600])]);
    expect(await publish([record("lower", "A", { ttl: 3601 })])).toEqual(["updated"]);
    expect(await lookAtTtls("lower")).toEqual(new Set([3601]));
  });

  test("are only read when it is rehearsed", async () => {
    const written = await writesDuring(async () => {
      const { results } = await publishing.rehearse([record("txt", "TXT"), record("same", "A")]);
      expect(results).toMatchObject([
        {
          result: "updated",
          before: ['"198.51.100.7:50001"'],
          after: ['"203.0.113.9:50234"'],
        },
        { result: "current", before: ["203.0.113.9"], after: ["203.0.113.9"] },
      ]);
    });
    expect(written).toBe(0);
    expect(await look("txt", "TXT")).toEqual(['"198.51.100.7:50001"']);
  });

  test("are not touched by a test of the account", async () => {
    const written = await writesDuring(async () => {
      expect((await publishing.test()).ok).toBe(true);
    });
    expect(written).toBe(0);
  });

  describe("cannot be published", () => {
    test("with a wrong key: permanent, after the first question", async () => {
      const records = [record("fails", "A"), record("fails", "TXT")];
      const { results, stages } = await tryWith(world, world.wrongKey, records);
      expect(results.map(({ error }) => error?.kind)).toEqual(["permanent", "permanent"]);
      expect(stages).toHaveLength(1);
      expect(await look("fails")).toEqual(["192.0.2.6"]);
    });

    test("in a zone that the server does not hold", async () => {
      const records = [{ name: "fails.example.net", type: "A" as const }];
      const { results } = await tryWith(world, world.wrongZone, records);
      expect(results).toMatchObject([{ result: "failed", error: { kind: "permanent" } }]);
    });

    test("under a name that lies elsewhere", async () => {
      const { results } = await publishing.publish([{ name: "fails.example.net", type: "A" }]);
      const code = world.provider === "cloudflare" ? "cloudflare_9000" : "outside_zone";
      expect(results[0]?.error?.errorClass).toBe(code);
    });

    test("where no server is", async () => {
      const gone = await open([]);
      const late = new DomainPublishing(gone.provider, gone.config);
      await gone.stop();
      const failure = late.publish([record("fails", "A")]);
      await expect(failure).rejects.toThrow(ExchangeError);
      await expect(failure).rejects.toMatchObject({ kind: "network" });
      await late.close();
    });
  });
});

async function tryWith(
  { provider }: ZoneWorld,
  config: ZoneWorld["config"],
  records: DomainRecord[],
): Promise<Attempt> {
  const other = new DomainPublishing(provider, config);
  try {
    return await other.publish(records);
  } finally {
    await other.close();
  }
}
