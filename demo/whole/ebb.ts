import type { Plan } from "../fleet.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** How a node is doing at a moment; the same node at the same moment always alike. */
export interface Moment {
  /** Whether it is up. */
  isUp: boolean;
  /** Mbit/s. */
  bandwidth: number;
  connections: number;
}

/** The use of a node ebbs at night, swells in the evening, and grows over the year. */
export function momentOf(plan: Plan, index: number, at: number, now: number): Moment {
  const hour = (at % DAY_MS) / HOUR_MS;
  const evening = 0.5 - 0.5 * Math.cos(((hour - 4) / 24) * 2 * Math.PI);
  const growth = 0.45 + 0.55 * Math.max(0, 1 - (now - at) / (365 * DAY_MS));
  const own = 0.35 + 0.5 * noise(index, 0);
  const wobble = 0.8 + 0.4 * noise(index, Math.floor(at / (10 * 60_000)));
  const use = Math.min(1.05, (0.25 + 0.75 * evening) * growth * own * wobble * 1.5);
  const isUp = !isOut(index, at);
  return {
    isUp,
    bandwidth: isUp ? Math.round(plan.max_bandwidth * use * 0.8 * 10) / 10 : 0,
    connections: isUp ? Math.round(plan.max_connections * use) : 0,
  };
}

/** Every node is down for some hours now and then; some more often than others. */
function isOut(index: number, at: number): boolean {
  const stretch = Math.floor(at / (4 * HOUR_MS));
  const often = index % 17 === 0 ? 0.06 : 0.004;
  return noise(index + 1_000, stretch) < often;
}

/** Evenly spread over 0–1; the same for the same two numbers. */
export function noise(a: number, b: number): number {
  let mixed = Math.imul(a + 0x9e37, 0x85eb_ca6b) ^ Math.imul(b + 0x79b9, 0xc2b2_ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a_2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
