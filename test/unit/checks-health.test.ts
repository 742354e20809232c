import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { outcomeOf } from "../../src/server/checks/finding.ts";
import { HealthRule } from "../../src/server/checks/health.ts";

const up = { isOnline: true, latencyMs: 1, handshake: "refused" } as const;
const down = { isOnline: false, error: "refused" } as const;
const refused = { isOnline: null, error: "private" } as const;

let rule: HealthRule;
/** The nodes that are told to be unhealthy now. */
let unhealthy: Set<number>;

beforeEach(() => {
  unhealthy = new Set();
  rule = new HealthRule((id, isHealthy) => {
    if (isHealthy ? !unhealthy.delete(id) : unhealthy.has(id)) throw new Error(`${id} told twice`);
    if (!isHealthy) unhealthy.add(id);
  });
  rule.countReporting(100);
});

function fail(...ids: number[]): void {
  for (const id of ids) rule.failed(id, "tcp://192.0.2.1:1");
}
function reach(...ids: number[]): void {
  for (const id of ids) rule.reached(id);
}

describe("the check of a node", () => {
  test("reaches it when one of its connections opens", () => {
    expect(outcomeOf([down, up, refused])).toBe("reached");
  });
  test("fails when none opens", () => {
    expect(outcomeOf([down, refused])).toBe("failed");
    expect(outcomeOf([down])).toBe("failed");
  });
  test("says nothing when nothing was checked", () => {
    expect(outcomeOf([refused])).toBe("not_checked");
    expect(outcomeOf([])).toBe("not_checked");
  });
});

describe("a node", () => {
  test("is unhealthy after three failed checks in a row, healthy after one that reaches it", () => {
    fail(1);
    fail(1);
    expect(rule.isHealthy(1)).toBe(true);
    fail(1);
    expect(rule.isHealthy(1)).toBe(false);
    expect([...unhealthy]).toEqual([1]);
    expect(rule.unhealthy).toBe(1);
    fail(1);
    reach(1);
    expect(rule.isHealthy(1)).toBe(true);
    expect(unhealthy.size).toBe(0);
    expect(rule.unhealthy).toBe(0);
    fail(1);
    fail(1);
    expect(rule.isHealthy(1)).toBe(true);
  });

  test("starts again after a success in between", () => {
    fail(1);
    fail(1);
    reach(1);
    fail(1);
    fail(1);
    expect(rule.isHealthy(1)).toBe(true);
  });

  test("that was never checked is healthy", () => {
    expect(rule.isHealthy(1)).toBe(true);
  });

  test("that is forgotten is healthy, and starts again", () => {
    fail(1);
    fail(1);
    fail(1);
    rule.forget(1);
    expect(unhealthy.size).toBe(0);
    fail(1);
    fail(1);
    expect(rule.isHealthy(1)).toBe(true);
  });

  test("that has moved starts again", () => {
    fail(1);
    fail(1);
    rule.failed(1, "tcp://192.0.2.2:1");
    expect(rule.isHealthy(1)).toBe(true);
  });

  test("is forgotten by a sweep when it is not what it was", () => {
    fail(1);
    reach(9);
    fail(2);
    reach(9);
    fail(1, 2);
    reach(9);
    fail(1, 2);
    expect([...unhealthy]).toEqual([1, 2]);
    rule.sweep((id, connections) => id === 2 && connections === "tcp://192.0.2.1:1");
    expect([...unhealthy]).toEqual([2]);
    expect(rule.unhealthy).toBe(1);
  });
});

describe("its own network is suspected", () => {
  test("when three nodes are lost with nobody reached in between: none of it counts", () => {
    reach(1, 2, 3, 4);
    for (let round = 0; round < 5; round++) fail(1, 2, 3, 4);
    expect(rule.suspectsItself).toBe(true);
    expect(unhealthy.size).toBe(0);
    reach(1);
    expect(rule.suspectsItself).toBe(false);
    // What was known before the wave stands: they start at nothing.
    fail(2, 3, 4);
    expect(rule.isHealthy(2)).toBe(true);
  });

  test("and whoever became unhealthy in that wave is healthy again", () => {
    fail(1);
    reach(9);
    fail(1);
    reach(9);
    fail(1);
    expect(rule.isHealthy(1)).toBe(false);
    fail(2);
    expect(rule.suspectsItself).toBe(false);
    fail(3);
    expect(rule.suspectsItself).toBe(false);
    fail(4);
    expect(rule.suspectsItself).toBe(true);
    expect(unhealthy.size).toBe(0);
    reach(9);
    // Twice before the wave, and once more now.
    fail(1);
    expect(rule.isHealthy(1)).toBe(false);
  });

  test("and whoever was unhealthy before stays so", () => {
    for (let round = 0; round < 3; round++) {
      fail(1);
      reach(9);
    }
    fail(1, 2, 3, 4);
    expect(rule.suspectsItself).toBe(true);
    expect([...unhealthy]).toEqual([1]);
  });

  test("not when few are lost between others that are reached", () => {
    for (let round = 0; round < 3; round++) {
      fail(1, 2);
      reach(9);
      fail(3, 4);
      reach(9);
    }
    expect([...unhealthy]).toEqual([1, 2, 3, 4]);
  });

  test("not by nodes that had failed before", () => {
    for (let round = 0; round < 3; round++) {
      for (const id of [1, 2, 3, 4]) {
        fail(id);
        if (round === 0) reach(9);
      }
    }
    expect([...unhealthy]).toEqual([1, 2, 3, 4]);
  });

  test("when more than nine tenths of the nodes that report fail, although some are reached", () => {
    rule.countReporting(21);
    for (let round = 0; round < 5; round++) {
      for (let id = 1; id <= 20; id++) {
        fail(id);
        reach(21);
      }
    }
    expect(rule.suspectsItself).toBe(true);
    expect(unhealthy.size).toBe(0);
  });

  test("not in a fleet of one or two", () => {
    rule.countReporting(2);
    for (let round = 0; round < 3; round++) fail(1, 2);
    expect([...unhealthy]).toEqual([1, 2]);
  });
});

test("an outage of a whole fleet leaves nobody out, whenever it begins and however long it is", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 40 }),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 0, max: 400 }),
      (nodes, begin, length) => {
        const left = new Set<number>();
        const judge = new HealthRule((id, isHealthy) => {
          if (!isHealthy) left.add(id);
        });
        judge.countReporting(nodes);
        for (let turn = 0; turn < begin + length + 100; turn++) {
          const id = turn % nodes;
          if (turn >= begin && turn < begin + length) judge.failed(id, "");
          else judge.reached(id);
          expect(left.size).toBe(0);
        }
        expect(judge.unhealthy).toBe(0);
      },
    ),
  );
});

test("one closed node is left out after its third check, wherever the others stand", () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 1, max: 20 }),
      (isFirst, others) => {
        const judge = new HealthRule(() => {});
        judge.countReporting(others + 1);
        for (const before of isFirst) {
          expect(judge.isHealthy(0)).toBe(true);
          if (before) judge.failed(0, "");
          for (let id = 1; id <= others; id++) judge.reached(id);
          if (!before) judge.failed(0, "");
        }
        expect(judge.isHealthy(0)).toBe(false);
      },
    ),
  );
});
