import { expect, it } from "vitest";
import { cutPower } from "../durability/power-cuts.ts";

it("a power cut takes back no acknowledged report", async () => {
  const outcome = await cutPower(5, false);
  expect(outcome).toMatchObject({ lostGb: 0, doubledGb: 0 });
  expect(outcome.acknowledged).toBeGreaterThan(100);
}, 120_000);

it("would, if SQLite flushed at checkpoints only", async () => {
  const outcome = await cutPower(5, true);
  expect(outcome.lostGb).toBeGreaterThan(0);
}, 120_000);
