import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/server/lib/clock.ts";
import { ClientModel } from "../../src/server/query/client-model.ts";
import { exponential, seededChance } from "../support/seeded-chance.ts";

const REPORT_MS = 5 * MINUTE_MS;

/** Nodes whose clients come by answers and leave after exponential stays; reports are fed in. */
function observe(pickUp: number, stayMs: number, hours: number): ClientModel {
  const chance = seededChance(Math.round(pickUp * 100 + stayMs));
  const model = new ClientModel();
  const leaving = Array.from({ length: 30 }, () =>
    Array.from({ length: 60 }, () => exponential(stayMs, chance)),
  );
  for (let at = REPORT_MS; at < hours * HOUR_MS; at += REPORT_MS) {
    for (const leavesAt of leaving) {
      const before = leavesAt.length;
      // As the query does, more is sent where fewer are.
      const wanted = (90 - before) * (REPORT_MS / stayMs) * 2 * chance();
      const asked = Math.max(0, Math.round(wanted / pickUp));
      for (let answer = 0; answer < asked; answer++) {
        if (chance() < pickUp) {
          leavesAt.push(at - REPORT_MS * chance() + exponential(stayMs, chance));
        }
      }
      const staying = leavesAt.filter((each) => each > at);
      leavesAt.splice(0, before + asked, ...staying);
      const after = staying.length;
      model.learn({ before, after, asked: asked * stillHere(model), elapsedMs: REPORT_MS, at });
    }
    model.update();
  }
  return model;
}

/** The part of the clients of one interval that has not left by its end. */
function stillHere({ stayMs }: ClientModel): number {
  return (stayMs / REPORT_MS) * (1 - Math.exp(-REPORT_MS / stayMs));
}

test.each([
  { pickUp: 1, stayMs: HOUR_MS },
  { pickUp: 0.3, stayMs: HOUR_MS },
  { pickUp: 0.6, stayMs: 20 * MINUTE_MS },
])("learns a pick-up of $pickUp and a stay of $stayMs ms from reports", ({ pickUp, stayMs }) => {
  const model = observe(pickUp, stayMs, 6);
  expect(model.pickUp / pickUp).toBeGreaterThan(0.85);
  expect(model.pickUp / pickUp).toBeLessThan(1.15);
  expect(model.stayMs / stayMs).toBeGreaterThan(0.8);
  expect(model.stayMs / stayMs).toBeLessThan(1.25);
});

test("keeps its first guesses without evidence and goes back to them when evidence grows old", () => {
  const model = new ClientModel();
  model.update();
  expect(model).toMatchObject({ pickUp: 1, stayMs: 30 * MINUTE_MS });
  for (let at = 1; at <= 200; at++) {
    model.learn({ before: 50, after: 50, asked: 40, elapsedMs: MINUTE_MS, at: at * MINUTE_MS });
  }
  model.update();
  expect(model.pickUp).toBeLessThan(0.5);
  model.learn({ before: 1, after: 1, asked: 0, elapsedMs: MINUTE_MS, at: 1000 * HOUR_MS });
  model.update();
  expect(model.pickUp).toBeCloseTo(1, 1);
});

test("one report beyond all chance does not move it", () => {
  const model = observe(1, HOUR_MS, 3);
  const { pickUp, stayMs } = model;
  model.learn({ before: 60, after: 1e6, asked: 4, elapsedMs: REPORT_MS, at: 3 * HOUR_MS });
  model.update();
  expect(model.pickUp / pickUp).toBeCloseTo(1, 1);
  expect(model.stayMs / stayMs).toBeCloseTo(1, 1);
});
