import { expect, it } from "vitest";
import { cutPower } from "../durability/power-cuts.ts";

it(
  "a power cut takes back no acknowledged report",
  async () => {
    const outcome = await cutPower(200, false);
    expect(outcome).toMatchObject({ lostGb: 0, doubledGb: 0 });
    expect(outcome.acknowledged).toBeGreaterThan(100);
  },
  20 * 60_000,
);
