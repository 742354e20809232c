import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runStatuses } from "../../../src/shared/api/callbacks.ts";
import {
  afterAttempt,
  isFinished,
  isWaiting,
  mayCancel,
  mayRetry,
  MOST_ATTEMPTS,
  takeUp,
  type AttemptEnd,
  type RunState,
} from "../../../src/server/callbacks/run.ts";

const states: fc.Arbitrary<RunState> = fc.record({
  status: fc.constantFrom(...runStatuses),
  attempts: fc.integer({ min: 0, max: MOST_ATTEMPTS + 2 }),
  retries: fc.boolean(),
  cancelRequested: fc.boolean(),
  isOutdated: fc.boolean(),
});
const ends: fc.Arbitrary<AttemptEnd> = fc.oneof(
  fc.record({
    kind: fc.constant("done" as const),
    status: fc.constantFrom("succeeded" as const, "skipped" as const),
  }),
  fc.record({
    kind: fc.constant("failed" as const),
    failure: fc.record({
      kind: fc.constantFrom("transient" as const, "permanent" as const),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 10_000_000 }), { nil: undefined }),
    }),
  }),
  fc.record({ kind: fc.constantFrom("interrupted" as const, "given back" as const) }),
);
const chances = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const NOW = 1_000_000;
const fresh = { attempts: 1, retries: true, cancelRequested: false, isOutdated: false };
const transient: AttemptEnd = { kind: "failed", failure: { kind: "transient" } };

describe("whatever a run is and however its try ends", () => {
  test("it is finished or due again, never before now", () => {
    fc.assert(
      fc.property(states, ends, chances, (state, end, chance) => {
        const next = afterAttempt(state, end, NOW, () => chance);
        expect("dueAt" in next ? next.dueAt : NOW).toBeGreaterThanOrEqual(NOW);
        expect("dueAt" in next).toBe(isWaiting(next.status));
        expect(isFinished(next.status)).toBe(!isWaiting(next.status));
      }),
    );
  });

  test("what was delivered counts as delivered, whoever wanted it to end", () => {
    fc.assert(
      fc.property(states, chances, (state, chance) => {
        for (const status of ["succeeded", "skipped"] as const) {
          const next = afterAttempt(state, { kind: "done", status }, NOW, () => chance);
          expect(next).toEqual({ status });
        }
      }),
    );
  });

  test("nothing else makes it succeed, and what somebody wants to end ends", () => {
    fc.assert(
      fc.property(states, ends, chances, (state, end, chance) => {
        fc.pre(end.kind !== "done");
        const { status } = afterAttempt(state, end, NOW, () => chance);
        expect(["succeeded", "skipped"]).not.toContain(status);
        expect(!state.cancelRequested || status === "cancelled").toBe(true);
      }),
    );
  });

  test("an outdated mapping is never tried again", () => {
    fc.assert(
      fc.property(states, ends, chances, (state, end, chance) => {
        fc.pre(end.kind !== "done");
        const next = afterAttempt({ ...state, isOutdated: true }, end, NOW, () => chance);
        expect("dueAt" in next).toBe(false);
      }),
    );
  });

  test("a run that a person asked for fails with its first failure", () => {
    fc.assert(
      fc.property(states, chances, (state, chance) => {
        fc.pre(!state.cancelRequested);
        const next = afterAttempt({ ...state, retries: false }, transient, NOW, () => chance);
        expect(next.status).toBe("failed");
      }),
    );
  });

  test("it is tried a bounded number of times, with the pauses of the schedule ±20 %", () => {
    fc.assert(
      fc.property(chances, (chance) => {
        const pauses: number[] = [];
        for (let attempts = 1; ; attempts++) {
          const next = afterAttempt({ ...fresh, attempts }, transient, NOW, () => chance);
          if (!("dueAt" in next)) break;
          pauses.push((next.dueAt - NOW) / 1000);
        }
        expect(pauses).toHaveLength(MOST_ATTEMPTS - 1);
        for (const [index, seconds] of [5, 15, 60, 300, 900, 3600].entries()) {
          expect(pauses[index]).toBeGreaterThanOrEqual(seconds * 0.8);
          expect(pauses[index]).toBeLessThanOrEqual(seconds * 1.2);
        }
      }),
    );
  });

  test("it waits at least as long as the target asked for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 90_000_000 }), chances, (retryAfterMs, chance) => {
        const end: AttemptEnd = { kind: "failed", failure: { kind: "transient", retryAfterMs } };
        const next = afterAttempt(fresh, end, NOW, () => chance);
        expect("dueAt" in next && next.dueAt).toBeGreaterThanOrEqual(NOW + retryAfterMs);
      }),
    );
  });
});

describe("a run that is taken up", () => {
  test("is tried, unless it is to end, is outdated, or has had all its tries", () => {
    fc.assert(
      fc.property(states, (state) => {
        const next = takeUp(state);
        const isUsedUp = state.attempts >= MOST_ATTEMPTS;
        const otherwise = state.isOutdated ? "superseded" : isUsedUp ? "failed" : "attempt";
        expect(next).toBe(state.cancelRequested ? "cancelled" : otherwise);
      }),
    );
  });

  test("that was never begun is queued as before, one that was begun is tried again", () => {
    const cases = [
      [1, "given back", "queued"],
      [2, "given back", "retrying"],
      [1, "interrupted", "retrying"],
    ] as const;
    for (const [attempts, kind, status] of cases) {
      const next = afterAttempt({ ...fresh, attempts }, { kind }, NOW, () => 0);
      expect(next).toEqual({ status, dueAt: NOW });
    }
  });
});

test("a run can be cancelled until it is finished, and tried anew unless it is on its way", () => {
  expect(runStatuses.filter(mayCancel)).toEqual(["queued", "running", "retrying"]);
  expect(runStatuses.filter((each) => !mayRetry(each))).toEqual(["queued", "running"]);
});
