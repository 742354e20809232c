import type { Verdict } from "../../probe/verdict.ts";

/** What the check of one connection came to; `isOnline: null` = it must not or cannot be checked. */
export type Finding = Verdict | { isOnline: null; error: string };

export const outcomes = ["reached", "failed", "not_checked"] as const;
/** What checks came to, over one connection or all of a node. */
export type Outcome = (typeof outcomes)[number];

/** One connection that is reached is enough; what is not checked says nothing. */
export function outcomeOf(findings: readonly Finding[]): Outcome {
  if (findings.some((each) => each.isOnline === true)) return "reached";
  return findings.some((each) => each.isOnline === false) ? "failed" : "not_checked";
}
