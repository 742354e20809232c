import type { Chance } from "../../src/server/lib/chance.ts";
import type { Fleet } from "../../src/server/nodes/fleet.ts";
import { anyNode } from "../../src/server/query/filter.ts";
import { defaultPanel, type PanelSize } from "../../src/server/query/panel.ts";
import { QueryService } from "../../src/server/query/service.ts";
import type { Scenario } from "./selection-scenarios.ts";

/** Slots in the order a client prefers them. */
export type Picker = (now: number) => number[];
export type PickerMaker = (fleet: Fleet, chance: Chance, scenario: Scenario) => Picker;

/** What the service does. */
export const production = withPanel(defaultPanel);
/** What it does in a fleet too large to look at every node: here a third of it at a time. */
export const byPanels = withPanel({ from: 16, size: 16, block: 4 });

function withPanel(panel: PanelSize): PickerMaker {
  return (fleet, chance, { priority }) => {
    let now = 0;
    const service = new QueryService(fleet, { now: () => now }, chance, panel);
    const filter = { ...anyNode, priority };
    return (at) => {
      now = at;
      return service.pick(filter, 3, now);
    };
  };
}

/** Rules that are known to be worse, by the key they sort by; the largest three are answered. */
export const worseRules: Record<string, PickerMaker> = {
  uniform: sortBy((_fleet, _slot, chance) => chance()),
  "free connections": sortBy(({ columns: c }, slot) => {
    return (c.maxConnections[slot] as number) - (c.connections[slot] as number);
  }),
  "least used": sortBy(({ columns: c }, slot) => {
    return -(c.connections[slot] as number) / (c.maxConnections[slot] as number);
  }),
  "by capacity": sortBy(({ columns: c }, slot, chance) => {
    return Math.log(1 - chance()) / (c.maxConnections[slot] as number);
  }),
};

function sortBy(key: (fleet: Fleet, slot: number, chance: Chance) => number): PickerMaker {
  return (fleet, chance) => () => {
    const keys: { slot: number; key: number }[] = [];
    for (let slot = 0; slot < fleet.end; slot++) {
      if (fleet.columns.online[slot] === 1) keys.push({ slot, key: key(fleet, slot, chance) });
    }
    keys.sort((a, b) => b.key - a.key);
    return keys.slice(0, 3).map(({ slot }) => slot);
  };
}
