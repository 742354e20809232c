import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { Lab } from "../../lab/lab.ts";
import { publicEndpoint, type RuleAtHome } from "../support/rule-at-home.ts";

/** Ways to switch a NAT, and what of a mapping that changes. */
export const NAT_SWITCHES = [
  { name: "switchAddress", changed: ["ip"] },
  { name: "switchPorts", changed: ["port"] },
  { name: "switchAddressAndPorts", changed: ["ip", "port"] },
] as const;
export interface NatSwitch {
  name: (typeof NAT_SWITCHES)[number]["name"];
  changed: readonly ("ip" | "port")[];
}

/** Two intervals and five seconds, besides what the rule waits by itself. */
const SLACK_MS = 5_000;
const LOOK_EVERY_MS = 20;

/**
 * Switches the NAT under rules that are open. Each stores one change, the right one, in time.
 * @returns milliseconds from the switch until the API showed the change, by rule
 */
export async function changesOnce(
  lab: Lab,
  rules: readonly RuleAtHome[],
  { name, changed }: NatSwitch,
): Promise<number[]> {
  const before = await Promise.all(rules.map((rule) => rule.changes()));
  const switchedAt = await lab.nat[name]();
  const times = await Promise.all(
    rules.map((rule, index) => untilChanged(rule, before[index]?.length ?? 0, switchedAt)),
  );
  await Promise.all(rules.map((rule) => rule.isProbedAgain(2)));
  for (const [index, rule] of rules.entries()) {
    const [change, ...earlier] = await rule.changes();
    expect(earlier).toEqual(before[index]);
    const [previous] = earlier;
    expect(change).toMatchObject({
      changed,
      previous_ip: previous?.public_ip,
      previous_port: previous?.public_port,
    });
    expect(new Set(change?.confirmed_by).size).toBe(2);
    expect([publicEndpoint(change as NonNullable<typeof change>)]).toEqual(await rule.mappings());
    const state = await rule.state();
    expect(state).toMatchObject({
      status: "open",
      public_ip: change?.public_ip,
      public_port: change?.public_port,
      last_change_at: change?.at,
    });
  }
  return times;
}

async function untilChanged(rule: RuleAtHome, before: number, since: number): Promise<number> {
  const limitMs = 2 * rule.intervalMs + SLACK_MS + rule.settleMs;
  for (;;) {
    const { length } = await rule.changes();
    const tookMs = Date.now() - since;
    if (length > before) return tookMs;
    if (tookMs > limitMs) {
      const state = JSON.stringify(await rule.state());
      throw new Error(`No change over ${rule.transport} after ${tookMs} ms: ${state}`);
    }
    await pause(LOOK_EVERY_MS);
  }
}
