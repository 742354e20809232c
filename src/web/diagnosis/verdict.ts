import type { StunDiagnosis } from "../../shared/api/stun-diagnosis.ts";

/** What the findings come to for somebody who wants to be reached. */
export type Verdict = "open" | "good" | "filtered" | "doubtful" | "bad" | "silent";

export function verdictOf({ mapping, filtering, public_ip: ip }: StunDiagnosis): Verdict {
  if (ip === null) return "silent";
  switch (mapping) {
    case "none":
      return "open";
    case "address_dependent":
    case "address_and_port_dependent":
      return "bad";
    case "endpoint_independent":
      return isStrict(filtering) ? "filtered" : "good";
    default:
      return "doubtful";
  }
}

function isStrict(filtering: StunDiagnosis["filtering"]): boolean {
  return filtering === "address_dependent" || filtering === "address_and_port_dependent";
}
