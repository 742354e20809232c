import type { CheckResult } from "../../shared/api/checks.ts";
import type { CheckTarget } from "../../probe/probe.ts";
import type { Reservation } from "../../probe/slots.ts";
import type { TargetPolicy } from "../../probe/target-policy.ts";

/** What holds for all checks of one request. */
export interface Inspection {
  policy: TargetPolicy;
  /** A place for each check. */
  places: Reservation;
  /** Aborts when nobody waits for the results any more. */
  signal: AbortSignal;
}

/** Does the checks of one request, at one place or another. */
export interface Inspector {
  readonly mode: "local" | "remote";
  /** @throws AppError check_function_…, and whatever `signal` carries */
  one(target: CheckTarget, inspection: Inspection): Promise<CheckResult>;
  /** All at once; the results are in the order of the targets. */
  batch(targets: readonly CheckTarget[], inspection: Inspection): Promise<CheckResult[]>;
}
