import { describe, expect, test } from "vitest";
import { byPanels, production, worseRules, type PickerMaker } from "./selection-rules.ts";
import { furtherScenarios, scenarios, type Outcome, type Scenario } from "./selection-scenarios.ts";
import { simulate } from "./selection-world.ts";

/** None of these was looked at while the rule's constants were chosen. */
const SEEDS = [11, 12, 13, 14, 15, 16];

function run(scenario: Scenario, seeds = SEEDS, rule: PickerMaker = production): Outcome[] {
  return seeds.map((seed) => simulate(scenario, seed, rule));
}

function mean(outcomes: Outcome[], of: keyof Outcome): number {
  return outcomes.reduce((sum, each) => sum + each[of], 0) / outcomes.length;
}

function worst(outcomes: Outcome[], of: keyof Outcome): number {
  return Math.max(...outcomes.map((each) => each[of]));
}

describe("the query spreads load", () => {
  test("A: with reports ten minutes old at 70 percent load", () => {
    const outcomes = run(scenarios.A);
    expect(mean(outcomes, "variation")).toBeLessThan(0.065);
    expect(mean(outcomes, "maximum")).toBeLessThan(0.85);
    expect(mean(outcomes, "overfull")).toBeLessThan(0.005);
  });

  test("B: with reports a minute old", () => {
    const outcomes = run(scenarios.B);
    expect(mean(outcomes, "variation")).toBeLessThan(0.025);
    expect(mean(outcomes, "overfull")).toBeLessThan(0.005);
  });

  test("C: when four instances share nothing and clients bypass them", () => {
    const outcomes = run(scenarios.C);
    expect(mean(outcomes, "variation")).toBeLessThan(0.09);
    expect(mean(outcomes, "overfull")).toBeLessThan(0.005);
  });

  test("D: when nodes die and their clients ask again at once", () => {
    const outcomes = run(scenarios.D);
    expect(mean(outcomes, "overfull")).toBeLessThan(0.01);
    expect(worst(outcomes, "overfull")).toBeLessThan(0.02);
  });

  test("E: when two nodes always report 0", () => {
    expect(mean(run(scenarios.E), "overfull")).toBeLessThan(0.01);
  });

  test("F: when nodes die and others report 0", () => {
    expect(mean(run(scenarios.F), "overfull")).toBeLessThan(0.01);
  });

  test.each(["bandwidth", "traffic", "balanced"] as const)(
    "when nodes are limited by: %s",
    (name) => {
      const outcomes = run(furtherScenarios[name], SEEDS.slice(0, 3));
      expect(mean(outcomes, "variation")).toBeLessThan(0.08);
      expect(mean(outcomes, "overfull")).toBeLessThan(0.005);
    },
  );

  test.each(["restarts", "onlookers", "everything", "brief"] as const)(
    "in the case «%s»",
    (name) => {
      const outcomes = run(furtherScenarios[name], SEEDS.slice(0, 3));
      expect(mean(outcomes, "overfull")).toBeLessThan(0.015);
    },
  );
});

describe("the query by panels, of a third of the fleet each,", () => {
  test("spreads load as well", () => {
    const outcomes = run(scenarios.A, SEEDS.slice(0, 3), byPanels);
    expect(mean(outcomes, "variation")).toBeLessThan(0.065);
    expect(mean(outcomes, "overfull")).toBeLessThan(0.005);
  });

  test.each(["D", "E", "F"] as const)("bears the case %s", (name) => {
    const outcomes = run(scenarios[name], SEEDS.slice(0, 3), byPanels);
    expect(mean(outcomes, "overfull")).toBeLessThan(0.01);
  });
});

describe("the gates tell a good rule from a worse one", () => {
  test.each(Object.entries(worseRules))("%s", (_name, rule) => {
    const [seed] = SEEDS;
    const calm = run(scenarios.A, [seed as number], rule);
    expect(mean(calm, "variation")).toBeGreaterThan(0.065);
    const rough = run(scenarios.D, [seed as number], rule);
    expect(mean(rough, "overfull")).toBeGreaterThan(0.02);
  });
});
