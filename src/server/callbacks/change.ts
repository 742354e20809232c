import type { Trigger } from "../../shared/api/callbacks.ts";

/** The public side of a hole. */
export interface Mapping {
  publicIp: string;
  publicPort: number;
}

export const changeableParts = ["ip", "port"] as const;
export type ChangedPart = (typeof changeableParts)[number];

/** What a target is told that happened. */
export const eventWords = [
  "stun_ip_change",
  "stun_port_change",
  "stun_ip_and_port_change",
  "manual",
  "test",
] as const;
export type EventWord = (typeof eventWords)[number];

/** In the order ip, port; empty when the two say the same or there is nothing to compare with. */
export function changedParts(previous: Mapping | null, next: Mapping): ChangedPart[] {
  if (previous === null) return [];
  const changed: ChangedPart[] = [];
  if (previous.publicIp !== next.publicIp) changed.push("ip");
  if (previous.publicPort !== next.publicPort) changed.push("port");
  return changed;
}

const startingChanges: Readonly<Record<Trigger, readonly ChangedPart[]>> = {
  stun_ip_change: ["ip"],
  stun_port_change: ["port"],
  stun_ip_or_port_change: changeableParts,
};

/** Whether a task with this trigger is started by a change of these parts. */
export function fires(trigger: Trigger, changed: readonly ChangedPart[]): boolean {
  return startingChanges[trigger].some((part) => changed.includes(part));
}

/** The word for a change of these parts. @throws Error when nothing changed: that is no event */
export function eventOf(changed: readonly ChangedPart[]): EventWord {
  const ip = changed.includes("ip");
  if (ip && changed.includes("port")) return "stun_ip_and_port_change";
  if (ip) return "stun_ip_change";
  if (changed.includes("port")) return "stun_port_change";
  throw new Error("nothing changed");
}
