import type { NodeRecord } from "./node.ts";
import { periodAfterChange, periodAt } from "./period.ts";
import { wireNames, type NodeSettings } from "./settings.ts";
import type { NodeUpdate } from "./store.ts";

/** What a change of settings comes to. */
export interface PlannedChange {
  update: NodeUpdate;
  /** By wire name, for the audit log. */
  differences: Record<string, { from: unknown; to: unknown }>;
}

/** Undefined when nothing would change. Setting the tier always counts: it outdates the reported one. */
export function planChange(
  node: NodeRecord,
  settings: Partial<NodeSettings>,
  now: number,
): PlannedChange | undefined {
  const differences: PlannedChange["differences"] = {};
  for (const [key, to] of Object.entries(settings) as [keyof NodeSettings, unknown][]) {
    const from = node[key];
    if (key !== "tierBandwidth" && JSON.stringify(from) === JSON.stringify(to)) continue;
    differences[wireNames[key]] = { from, to };
  }
  if (Object.keys(differences).length === 0) return undefined;
  const update: NodeUpdate = { ...settings };
  if (settings.tierBandwidth !== undefined) update.tierSince = now;
  const { resetCycleDays = node.resetCycleDays } = settings;
  if (resetCycleDays !== node.resetCycleDays) {
    const current = periodAt(node.period, node.createdAt, node.resetCycleDays, now);
    update.period = periodAfterChange(current, node.createdAt, resetCycleDays, now);
  }
  return { update, differences };
}
