import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/server/stun/endpoint.ts";
import { Judge, type JudgeOptions, type Ruling } from "../../../src/server/stun/judge.ts";
import { JudgedWorld, type Truth, type WorldOptions } from "../../support/judged-world.ts";
import { seededChance } from "../../support/seeded-chance.ts";

const X: Endpoint = { address: "192.0.2.1", port: 4000 };
const Y: Endpoint = { address: "192.0.2.1", port: 4001 };
const Z: Endpoint = { address: "192.0.2.2", port: 4000 };

function judgeOf(servers: string[], options: Partial<JudgeOptions> = {}): Judge {
  const judge = new Judge({ settleMs: 3_000, stored: X, ...options });
  judge.useServers(servers);
  return judge;
}

/** The mapping that the ruling confirms. */
function confirmedBy({ confirmed }: Ruling): Endpoint | undefined {
  return confirmed?.mapping;
}

function mappings(watched: JudgedWorld): Endpoint[] {
  return watched.confirmations.map((each) => each.mapping);
}

function statusesOf(watched: JudgedWorld): string[] {
  return watched.statuses.map((each) => each.status);
}

describe("one step of the judge", () => {
  test("an answer as stored opens the hole and asks nobody", () => {
    const judge = judgeOf(["a", "b"]);
    expect(judge.status(0)).toBe("starting");
    expect(judge.observe("a", X, 0)).toEqual({ ask: [], wakeAt: null, confirmed: null });
    expect(judge.status(0)).toBe("open");
  });

  test("another answer asks another server at once and the same one after a second", () => {
    const judge = judgeOf(["a", "b", "c"]);
    judge.observe("a", X, 0);
    const ruling = judge.observe("a", Y, 20_000);
    expect(ruling.ask).toEqual(["b"]);
    expect(ruling.wakeAt).toBe(21_000);
    expect(judge.status(20_000)).toBe("suspect");
    expect(judge.wake(21_000).ask).toContain("a");
  });

  test("two servers that agree confirm after the time to settle, and one more answer", () => {
    const judge = judgeOf(["a", "b"]);
    judge.observe("a", X, 0);
    judge.observe("a", Y, 20_000);
    const agreed = judge.observe("b", Y, 20_050);
    expect(agreed).toEqual({ ask: [], wakeAt: 23_050, confirmed: null });
    expect(judge.status(20_050)).toBe("suspect");
    expect(judge.wake(23_050).ask).toEqual(["a"]);
    const { confirmed } = judge.observe("a", Y, 23_100);
    expect(confirmed).toEqual({ mapping: Y, previous: X, servers: ["a", "b"] });
    expect(judge.status(23_100)).toBe("open");
  });

  test("without a time to settle the agreement itself confirms", () => {
    const judge = judgeOf(["a", "b"], { settleMs: 0 });
    judge.observe("a", Y, 0);
    expect(confirmedBy(judge.observe("b", Y, 50))).toEqual(Y);
  });

  test("the first mapping ever needs the same agreement and does not wait", () => {
    const judge = judgeOf(["a", "b"], { stored: null });
    expect(judge.observe("a", X, 0)).toMatchObject({ ask: ["b"], confirmed: null });
    expect(judge.status(0)).toBe("starting");
    const { confirmed } = judge.observe("b", X, 40);
    expect(confirmed).toEqual({ mapping: X, previous: null, servers: ["a", "b"] });
    expect(judge.status(40)).toBe("open");
  });

  test("of a single server three answers within ten seconds are needed", () => {
    const judge = judgeOf(["a"], { settleMs: 0 });
    expect(confirmedBy(judge.observe("a", Y, 0))).toBeUndefined();
    expect(judge.wake(1_000).ask).toEqual(["a"]);
    expect(confirmedBy(judge.observe("a", Y, 1_050))).toBeUndefined();
    expect(judge.wake(2_050).ask).toEqual(["a"]);
    expect(confirmedBy(judge.observe("a", Y, 2_100))).toEqual(Y);
  });

  test("three answers of a single server over more than ten seconds do not count together", () => {
    const judge = judgeOf(["a"], { settleMs: 0 });
    judge.observe("a", Y, 0);
    for (const at of [1_000, 4_000, 8_000]) {
      judge.wake(at);
      judge.fail("a", at + 900);
    }
    expect(confirmedBy(judge.observe("a", Y, 10_500))).toBeUndefined();
    expect(confirmedBy(judge.observe("a", Y, 11_500))).toBeUndefined();
    expect(confirmedBy(judge.observe("a", Y, 12_500))).toEqual(Y);
  });

  test("one server of two counts alone only when the other has been silent twice", () => {
    const judge = judgeOf(["a", "b"], { settleMs: 0 });
    judge.observe("a", Y, 0);
    judge.observe("a", Y, 1_000);
    judge.fail("b", 3_000);
    expect(confirmedBy(judge.observe("a", Y, 3_500))).toBeUndefined();
    expect(confirmedBy(judge.fail("b", 6_000))).toEqual(Y);
  });

  test("that a server was silent a while ago says nothing about now", () => {
    const judge = judgeOf(["a", "b"], { settleMs: 0 });
    judge.observe("a", X, 0);
    judge.fail("b", 10);
    judge.fail("b", 20);
    expect(judge.observe("a", Y, 100_000).ask).toContain("b");
    for (const at of [101_000, 102_000, 103_000]) {
      expect(confirmedBy(judge.observe("a", Y, at))).toBeUndefined();
    }
    expect(confirmedBy(judge.fail("b", 103_100))).toEqual(Y);
  });

  test("three rounds without an answer lose the mapping and confirm nothing", () => {
    const judge = judgeOf(["a"]);
    judge.observe("a", X, 0);
    judge.failRound(20_000);
    judge.failRound(40_000);
    expect(judge.status(40_000)).toBe("open");
    expect(judge.failRound(60_000).confirmed).toBeNull();
    expect(judge.status(60_000)).toBe("lost");
    expect(judge.failedRounds).toBe(3);
    expect(judge.observe("a", X, 80_000)).toEqual({ ask: [], wakeAt: null, confirmed: null });
    expect(judge.status(80_000)).toBe("open");
    expect(judge.failedRounds).toBe(0);
  });

  test("a mapping that is another after the loss is one change", () => {
    const judge = judgeOf(["a", "b"], { settleMs: 0 });
    judge.observe("a", X, 0);
    for (const at of [1, 2, 3]) judge.failRound(at);
    judge.observe("a", Z, 10_000);
    expect(judge.status(10_000)).toBe("suspect");
    expect(judge.observe("b", Z, 10_050).confirmed).toMatchObject({ mapping: Z, previous: X });
  });

  test("a change that is taken back while it settles is none", () => {
    const judge = judgeOf(["a", "b"]);
    judge.observe("a", X, 0);
    judge.observe("a", Y, 1_000);
    judge.observe("b", Y, 1_050);
    judge.wake(4_050);
    expect(judge.observe("a", X, 4_100).ask).toEqual(["b"]);
    expect(judge.observe("b", X, 4_150)).toEqual({ ask: [], wakeAt: null, confirmed: null });
    expect(judge.status(4_150)).toBe("open");
  });

  test("address and port that change one after the other are one change", () => {
    const judge = judgeOf(["a", "b"]);
    judge.observe("a", X, 0);
    judge.observe("a", Z, 1_000);
    judge.observe("b", Z, 1_050);
    const both = { address: Z.address, port: 9_999 };
    judge.observe("a", both, 2_000);
    judge.observe("b", both, 2_050);
    judge.wake(4_050);
    const { confirmed } = judge.observe("a", both, 4_100);
    expect(confirmed).toMatchObject({ mapping: both, previous: X });
  });

  test("a server that contradicts two others is not asked again for what it says", () => {
    const judge = judgeOf(["liar", "b", "c"]);
    judge.observe("liar", Y, 0);
    judge.observe("b", X, 50);
    judge.observe("c", X, 90);
    expect(judge.status(90)).toBe("open");
    expect(judge.isDoubted("liar")).toBe(true);
    expect(judge.observe("liar", Y, 20_000)).toEqual({ ask: [], wakeAt: null, confirmed: null });
    expect(judge.status(20_000)).toBe("open");
    judge.observe("liar", X, 40_000);
    expect(judge.isDoubted("liar")).toBe(false);
  });

  test("a server that was contradicted cannot confirm anything alone", () => {
    const judge = judgeOf(["liar", "b", "c"], { settleMs: 0 });
    judge.observe("liar", Y, 0);
    judge.observe("b", X, 50);
    judge.observe("c", X, 90);
    for (let at = 20_000; at < 60_000; at += 3_000) {
      for (const down of ["b", "c"]) judge.fail(down, at);
      expect(judge.observe("liar", Y, at + 10).confirmed).toBeNull();
    }
    expect(judge.status(60_000)).toBe("suspect");
  });

  test("two servers of four are not enough when the others see something else each", () => {
    const judge = judgeOf(["a", "b", "c", "d"], { settleMs: 0 });
    const seen = { a: Y, b: Z, c: { ...Z, port: 7 }, d: Y };
    judge.observe("a", Y, 0);
    for (let at = 100; at < 10_000; at += 900) {
      for (const [server, mapped] of Object.entries(seen).slice(1)) {
        expect(judge.observe(server, mapped, at).confirmed).toBeNull();
      }
      expect(judge.observe("a", Y, at).confirmed).toBeNull();
    }
    expect(judge.wake(10_000).confirmed).toBeNull();
    expect(judge.status(10_000)).toBe("endpoint_dependent");
  });

  test("a change that settles is given up when the servers begin to disagree", () => {
    const judge = judgeOf(["a", "b"], { settleMs: 60_000 });
    judge.observe("a", X, 0);
    judge.observe("a", Y, 1_000);
    judge.observe("b", Y, 1_050);
    judge.observe("a", Z, 20_000);
    for (let at = 20_050; at <= 31_000; at += 1_000) {
      judge.observe("b", Y, at);
      judge.observe("a", Z, at + 100);
    }
    expect(judge.status(32_000)).toBe("endpoint_dependent");
    expect(judge.wake(61_100)).toEqual({ ask: [], wakeAt: null, confirmed: null });
    // From here on it is a change of its own, which settles anew.
    judge.observe("a", Y, 70_000);
    expect(judge.observe("b", Y, 70_050)).toEqual({ ask: [], wakeAt: 130_050, confirmed: null });
  });

  test("after a restart the changes of the last minutes count", () => {
    const changedAt = [-500_000, -400_000, -300_000, -200_000];
    const judge = judgeOf(["a", "b"], { settleMs: 0, changedAt });
    judge.observe("a", Y, 0);
    expect(confirmedBy(judge.observe("b", Y, 50))).toBeUndefined();
    expect(judge.status(50)).toBe("unstable");
    expect(judge.wake(60_050).ask).toEqual(["a"]);
    // What was agreed on a minute ago is agreed on again.
    expect(judge.observe("a", Y, 60_090)).toMatchObject({ ask: ["b"], confirmed: null });
    expect(confirmedBy(judge.observe("b", Y, 60_120))).toEqual(Y);
  });

  describe("with several servers of the same people", () => {
    const PARTIES = new Map([
      ["a1", "a"],
      ["a2", "a"],
      ["b", "b"],
    ]);
    function judgeWith(servers: string[], options: Partial<JudgeOptions> = {}): Judge {
      const judge = new Judge({ settleMs: 0, stored: X, ...options });
      judge.useServers(servers, PARTIES);
      return judge;
    }

    test("asks other people first", () => {
      const judge = judgeWith(["a1", "a2", "b"]);
      expect(judge.observe("a1", Y, 0).ask).toEqual(["b"]);
    });

    test("two of them that agree confirm nothing while others may answer", () => {
      const judge = judgeWith(["a1", "a2", "b"]);
      for (let at = 0; at <= 9_000; at += 1_000) {
        judge.wake(at);
        expect(confirmedBy(judge.observe("a1", Y, at + 50))).toBeUndefined();
        expect(confirmedBy(judge.observe("a2", Y, at + 60))).toBeUndefined();
      }
      expect(judge.status(9_100)).toBe("suspect");
      expect(confirmedBy(judge.observe("b", Y, 9_200))).toEqual(Y);
    });

    test("two of them do not outvote another", () => {
      const judge = judgeWith(["a1", "a2", "b"]);
      for (let at = 0; at <= 10_000; at += 1_000) {
        for (const each of ["a1", "a2"]) judge.observe(each, Y, at);
        expect(judge.observe("b", X, at + 10).confirmed).toBeNull();
      }
      expect(judge.status(10_100)).toBe("endpoint_dependent");
    });

    test("three answers of one are enough when all other people are silent", () => {
      const judge = judgeWith(["a1", "a2", "b"]);
      judge.observe("a1", Y, 0);
      judge.fail("b", 100);
      judge.fail("b", 200);
      expect(confirmedBy(judge.observe("a1", Y, 1_000))).toBeUndefined();
      expect(confirmedBy(judge.observe("a2", Y, 1_010))).toBeUndefined();
      expect(confirmedBy(judge.observe("a1", Y, 2_000))).toEqual(Y);
    });

    test("where all are of the same people, three answers of one confirm, unless others differ", () => {
      const judge = judgeWith(["a1", "a2"]);
      judge.observe("a1", Y, 0);
      judge.observe("a2", Y, 50);
      expect(confirmedBy(judge.observe("a1", Y, 1_000))).toBeUndefined();
      expect(confirmedBy(judge.observe("a1", Y, 2_000))).toEqual(Y);
      const divided = judgeWith(["a1", "a2"]);
      for (let at = 0; at <= 10_000; at += 1_000) {
        expect(confirmedBy(divided.observe("a1", Y, at))).toBeUndefined();
        expect(confirmedBy(divided.observe("a2", Z, at))).toBeUndefined();
      }
      expect(divided.status(10_100)).toBe("endpoint_dependent");
    });

    test("those who alone are there and disagreed are believed again when they agree", () => {
      const judge = judgeWith(["a1", "a2"]);
      for (let at = 0; at < 10_000; at += 1_000) {
        judge.observe("a1", Y, at);
        judge.observe("a2", Z, at);
      }
      judge.wake(10_000);
      expect(judge.status(10_000)).toBe("endpoint_dependent");
      judge.observe("a1", Y, 20_000);
      judge.observe("a2", Y, 20_050);
      expect(judge.status(20_050)).toBe("suspect");
      for (const at of [40_000, 41_000]) {
        expect(confirmedBy(judge.observe("a1", Y, at))).toBeUndefined();
      }
      expect(confirmedBy(judge.observe("a1", Y, 42_000))).toEqual(Y);
    });

    test("what one of them was contradicted in counts against all, when nobody else is up", () => {
      const judge = judgeWith(["a1", "a2", "b", "c"]);
      judge.observe("a1", Y, 0);
      judge.observe("b", X, 50);
      judge.observe("c", X, 60);
      expect(judge.isDoubted("a1")).toBe(true);
      for (let at = 20_000; at < 60_000; at += 2_000) {
        for (const down of ["b", "c"]) judge.fail(down, at);
        expect(judge.observe("a2", Y, at + 10).confirmed).toBeNull();
      }
      expect(judge.status(60_000)).toBe("suspect");
    });
  });

  test("a server that is no longer asked has no voice", () => {
    const judge = judgeOf(["a", "b"], { settleMs: 0 });
    judge.observe("a", Y, 0);
    judge.useServers(["b", "c"]);
    expect(confirmedBy(judge.observe("b", Y, 50))).toBeUndefined();
    expect(confirmedBy(judge.observe("c", Y, 90))).toEqual(Y);
  });
});

describe("a hole that is watched", () => {
  const SERVERS = ["a", "b", "c"];

  function world(options: Partial<WorldOptions> & { truths: Truth[] }): JudgedWorld {
    return new JudgedWorld({
      servers: SERVERS,
      intervalMs: 20_000,
      settleMs: 3_000,
      chance: seededChance(7),
      ...options,
    });
  }

  test("costs one probe in an interval and a second server every five minutes", () => {
    const watched = world({ truths: [{ at: 0, mapping: X }] });
    watched.run(3_600_000);
    expect(mappings(watched)).toEqual([X]);
    expect(statusesOf(watched)).toEqual(["starting", "open"]);
    expect(watched.probes).toBeLessThan(180 + 12 + 5);
  });

  test("is confirmed changed within an interval, two seconds and the time to settle", () => {
    const truths = [X, Y, Z].map((mapping, at) => ({ at: at * 60_000, mapping }));
    const watched = world({ truths });
    watched.run(200_000);
    expect(mappings(watched)).toEqual([X, Y, Z]);
    for (const [at, { at: confirmedAt }] of watched.confirmations.entries()) {
      expect(confirmedAt - at * 60_000).toBeLessThan(25_000);
    }
  });

  test("says that two servers disagree for ever, changes nothing, and recovers", () => {
    let isLying = true;
    const lies = { b: () => (isLying ? Y : X) };
    const watched = world({
      truths: [{ at: 0, mapping: X }],
      servers: ["a", "b"],
      stored: X,
      lies,
    });
    watched.run(1_200_000);
    expect(watched.confirmations).toEqual([]);
    expect(statusesOf(watched).at(-1)).toBe("endpoint_dependent");
    expect(watched.judge.disagreement.map((each) => each.server).toSorted()).toEqual(["a", "b"]);
    const { probes } = watched;
    watched.run(1_800_000);
    expect(watched.probes - probes).toBeLessThan(2 * 30 + 5);
    isLying = false;
    watched.run(1_840_000);
    expect(statusesOf(watched).at(-1)).toBe("open");
    expect(watched.confirmations).toEqual([]);
  });

  test("that gives each destination another port is endpoint-dependent, and recovers", () => {
    let isSymmetric = true;
    const ports = new Map(SERVERS.map((server, at) => [server, 5_000 + at]));
    const lies = Object.fromEntries(
      SERVERS.map((server) => [
        server,
        () => (isSymmetric ? { address: X.address, port: ports.get(server) ?? 0 } : X),
      ]),
    );
    const watched = world({ truths: [{ at: 0, mapping: X }], lies });
    watched.run(300_000);
    expect(watched.confirmations).toEqual([]);
    expect(statusesOf(watched)).toEqual(["starting", "endpoint_dependent"]);
    isSymmetric = false;
    watched.run(330_000);
    expect(mappings(watched)).toEqual([X]);
    expect(statusesOf(watched).at(-1)).toBe("open");
  });

  test("stays open with one liar among three, whichever it is", () => {
    for (const liar of SERVERS) {
      const lies = { [liar]: () => Y };
      const watched = world({ truths: [{ at: 0, mapping: X }], stored: X, lies });
      watched.run(3_600_000);
      expect(watched.confirmations).toEqual([]);
      expect(statusesOf(watched).at(-1)).toBe("open");
    }
  });

  test("stays open when one server dies, whichever it is", () => {
    for (const dead of SERVERS) {
      const isLost = (server: string, now: number) => server === dead && now > 60_000;
      const watched = world({ truths: [{ at: 0, mapping: X }], isLost });
      watched.run(1_200_000);
      expect(mappings(watched)).toEqual([X]);
      expect(statusesOf(watched)).toEqual(["starting", "open"]);
    }
  });

  test("is lost when all die, and found again as it was", () => {
    const watched = world({
      truths: [{ at: 0, mapping: X }],
      isLost: (_, now) => now > 60_000 && now < 300_000,
    });
    watched.run(600_000);
    expect(mappings(watched)).toEqual([X]);
    expect(statusesOf(watched)).toEqual(["starting", "open", "lost", "open"]);
  });

  test("that flaps is unstable: four changes, then the newest one once it is quiet", () => {
    const flaps = Array.from({ length: 11 }, (_, at) => ({
      at: at * 40_000,
      mapping: at % 2 === 0 ? X : Y,
    }));
    const watched = world({ truths: [...flaps, { at: 440_000, mapping: Z }] });
    watched.run(439_000);
    expect(mappings(watched)).toEqual([X, Y, X, Y, X]);
    expect(statusesOf(watched).at(-1)).toBe("unstable");
    watched.run(600_000);
    expect(mappings(watched)).toEqual([X, Y, X, Y, X, Z]);
    const [at = 0] = watched.confirmations.slice(-1).map((each) => each.at);
    expect(at).toBeGreaterThan(500_000);
    expect(at).toBeLessThan(530_000);
    watched.run(1_200_000);
    expect(statusesOf(watched).at(-1)).toBe("open");
  });
});
