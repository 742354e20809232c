import fc from "fast-check";
import { expect, test } from "vitest";
import { formatEndpoint, sameEndpoint, type Endpoint } from "../../../src/server/stun/endpoint.ts";
import {
  JudgedWorld,
  type Confirmation,
  type Truth,
  type WorldOptions,
} from "../../support/judged-world.ts";
import { seededChance } from "../../support/seeded-chance.ts";

/** Few, so that lies, old truths and new ones coincide. */
const mappings: Endpoint[] = ["192.0.2.1", "192.0.2.2"].flatMap((address) =>
  [4000, 4001, 4002].map((port) => ({ address, port })),
);
const anyMapping = fc.constantFrom(...mappings);
const names = ["a", "b", "c", "d"];

/**
 * Where nothing is lost any more, for as long as anything may take. A liar that repeats the old truth
 * is found out by the second server, which is asked every five minutes.
 */
const QUIET_MS = 700_000;
/** How old the answer may be that makes a mapping believed. */
const WINDOW_MS = 10_000;
const ROUND_MS = 3_000;

interface Case extends Omit<WorldOptions, "chance" | "lies" | "isLost" | "stored" | "parties"> {
  parties: Record<string, string>;
  stored: Endpoint | null;
  seed: number;
  lossRate: number;
}

/** Servers and whose they are: often each somebody else's, often several of the same people. */
const staffs = fc
  .tuple(
    fc.integer({ min: 1, max: names.length }).map((count) => names.slice(0, count)),
    fc.tuple(...names.map((name) => fc.constantFrom(name, "p", "q"))),
  )
  .map(([servers, owners]) => ({
    servers,
    parties: Object.fromEntries(servers.map((name, at) => [name, owners[at] ?? name])),
  }));

function partiesIn({ parties }: Pick<Case, "parties">): number {
  return new Set(Object.values(parties)).size;
}

/** @param fewest parties */
function cases(truths: fc.Arbitrary<Truth[]>, fewest = 1): fc.Arbitrary<Case> {
  const record = fc.record({
    truths,
    seed: fc.integer(),
    intervalMs: fc.constantFrom(1_000, 5_000, 20_000),
    settleMs: fc.constantFrom(0, 3_000, 10_000),
    lossRate: fc.constantFrom(0, 0.1, 0.4),
    stored: fc.option(anyMapping, { nil: null }),
  });
  return fc
    .tuple(
      staffs.filter((staff) => partiesIn(staff) >= fewest),
      record,
    )
    .map(([staff, rest]) => Object.assign(structuredClone(rest), staff));
}

/** Those who lie are all servers of the people who have this one. */
function liarsOf({ servers, parties }: Case, who: number): string[] {
  const party = parties[servers[who % servers.length] as string];
  return servers.filter((each) => parties[each] === party);
}

/** Mappings that follow one another after times of this length. */
function truthsOf(lasting: { min: number; max: number }, most: number): fc.Arbitrary<Truth[]> {
  const step = fc.tuple(anyMapping, fc.integer(lasting));
  return fc.array(step, { minLength: 1, maxLength: most }).map((steps) => {
    let at = 0;
    return steps.map(([mapping, ms]) => {
      const truth = { at, mapping };
      at += ms;
      return truth;
    });
  });
}

function endOf(truths: readonly Truth[]): number {
  return (truths.at(-1)?.at ?? 0) + QUIET_MS;
}

/** Loses probes by chance, never two of one server in a row; nothing is lost in the quiet end. */
function losing({ lossRate, seed, truths }: Case): (server: string, now: number) => boolean {
  const chance = seededChance(seed ^ 0x5eed);
  const lost = new Set<string>();
  return (server, now) => {
    const isQuiet = now > endOf(truths) - QUIET_MS;
    if (isQuiet || lost.delete(server) || chance() >= lossRate) return false;
    lost.add(server);
    return true;
  };
}

/** Loses anything; whole servers for minutes. */
function failing({ lossRate, seed, truths }: Case): (server: string, now: number) => boolean {
  const chance = seededChance(seed ^ 0xdead);
  const downUntil = new Map<string, number>();
  return (server, now) => {
    if (now > endOf(truths) - QUIET_MS) return false;
    if (now < (downUntil.get(server) ?? 0) || chance() < lossRate) return true;
    if (chance() < lossRate / 20) downUntil.set(server, now + chance() * 300_000);
    return false;
  };
}

/** Whether each is the successor of the one before, and another than that. */
function isChain({ confirmations }: JudgedWorld, { stored }: Case): boolean {
  let before = stored;
  return confirmations.every(({ previous, mapping }) => {
    const follows = before ? previous && sameEndpoint(previous, before) : previous === null;
    const isOther = !before || !sameEndpoint(mapping, before);
    before = mapping;
    return follows && isOther;
  });
}

/** What was confirmed and was not true, or only long before. */
function falseOnes({ confirmations }: JudgedWorld, { truths, settleMs }: Case): string[] {
  const isFalse = ({ at, mapping }: Confirmation) => {
    const since = at - WINDOW_MS - ROUND_MS - settleMs;
    return !truths.some(
      (truth, index) =>
        truth.at <= at &&
        (truths[index + 1]?.at ?? Infinity) >= since &&
        sameEndpoint(truth.mapping, mapping),
    );
  };
  return confirmations
    .filter(isFalse)
    .map(({ at, mapping }) => `${formatEndpoint(mapping)} was not true at ${at}`);
}

/** What is known in the end, if it is known that it holds. */
function knownBy(world: JudgedWorld, { stored }: Case): Endpoint | string | null {
  const status = world.judge.status(world.now);
  if (status !== "open" && status !== "unstable") return status;
  return world.confirmations.at(-1)?.mapping ?? stored;
}

/** A lie may just be looked into: that takes a window at most, and the next one may be told then. */
function lookFurther(world: JudgedWorld): void {
  for (let windows = 0; windows < 4; windows++) {
    if (world.judge.status(world.now) !== "suspect") return;
    world.run(world.now + WINDOW_MS);
  }
}

function confirmedOf(world: JudgedWorld): Endpoint[] {
  return world.confirmations.map((each) => each.mapping);
}

test("nothing but the truth is confirmed, whatever is lost; the last truth is known in the end", () => {
  const truths = truthsOf({ min: 10, max: 120_000 }, 12);
  fc.assert(
    fc.property(cases(truths), (given) => {
      const chance = seededChance(given.seed);
      const world = new JudgedWorld({ ...given, chance, isLost: failing(given) });
      world.run(endOf(given.truths));
      expect(isChain(world, given)).toBe(true);
      expect(falseOnes(world, given)).toEqual([]);
      expect(knownBy(world, given)).toEqual(given.truths.at(-1)?.mapping);
    }),
    { numRuns: 400 },
  );
});

test("one liar confirms nothing, and among three does not hide the truth", () => {
  const truths = truthsOf({ min: 10, max: 120_000 }, 10);
  fc.assert(
    fc.property(cases(truths, 2), fc.nat(3), fc.constantFrom(0.05, 0.5, 1), (given, who, rate) => {
      const invent = seededChance(given.seed ^ 0x11e5);
      let lie: Endpoint = mappings[0] as Endpoint;
      const say = (now: number) => {
        if (invent() < 0.1) lie = mappings[Math.floor(invent() * mappings.length)] as Endpoint;
        return invent() < rate ? lie : world.truthAt(now);
      };
      const lies = Object.fromEntries(liarsOf(given, who).map((liar) => [liar, say]));
      const world: JudgedWorld = new JudgedWorld({
        ...given,
        lies,
        chance: seededChance(given.seed),
        isLost: losing(given),
      });
      world.run(endOf(given.truths));
      expect(isChain(world, given)).toBe(true);
      expect(falseOnes(world, given)).toEqual([]);
      const isHidden = partiesIn(given) < 3;
      const truth = given.truths.at(-1)?.mapping;
      lookFurther(world);
      expect(isHidden ? truth : knownBy(world, given)).toEqual(truth);
    }),
    { numRuns: 400 },
  );
});

test("without a change of the truth there is none, whatever is lost and whoever lies", () => {
  const truths = anyMapping.map((mapping) => [{ at: 0, mapping }]);
  const lossy = fc.boolean();
  fc.assert(
    fc.property(cases(truths, 2), fc.nat(3), lossy, (given, who, isLossy) => {
      const [truth] = given.truths;
      if (!truth) throw new Error("there is no truth");
      const liars = liarsOf(given, who);
      const invent = seededChance(given.seed ^ 0x11e5);
      const lie = () => mappings[Math.floor(invent() * mappings.length)] as Endpoint;
      const world = new JudgedWorld({
        ...given,
        stored: truth.mapping,
        chance: seededChance(given.seed),
        isLost: isLossy
          ? failing({ ...given, truths: [{ ...truth, at: 1_800_000 }] })
          : losing(given),
        lies: isLossy ? {} : Object.fromEntries(liars.map((liar) => [liar, lie])),
      });
      world.run(1_800_000);
      expect(confirmedOf(world)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("every change that lasts is confirmed once, in time", () => {
  // Long enough apart not to be unstable.
  const truths = truthsOf({ min: 160_000, max: 400_000 }, 8);
  fc.assert(
    fc.property(cases(truths), (given) => {
      const chance = seededChance(given.seed);
      const world = new JudgedWorld({ ...given, chance, isLost: () => false });
      world.run(endOf(given.truths));
      const lasting = given.truths.filter(
        ({ mapping }, at) => !sameEndpoint(mapping, given.truths[at - 1]?.mapping ?? NOWHERE),
      );
      const [first] = lasting;
      const isKnown = first && given.stored && sameEndpoint(first.mapping, given.stored);
      const expected = isKnown ? lasting.slice(1) : lasting;
      expect(confirmedOf(world)).toEqual(expected.map((each) => each.mapping));
      const inTime = given.intervalMs * 1.1 + 2_000 + given.settleMs + 500;
      for (const [index, { at }] of world.confirmations.entries()) {
        expect(at - (expected[index]?.at ?? 0)).toBeLessThan(inTime);
      }
    }),
    { numRuns: 200 },
  );
});

const NOWHERE: Endpoint = { address: "0.0.0.0", port: 0 };
