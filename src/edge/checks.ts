import type { CheckTarget, Probe } from "../probe/probe.ts";
import { parseServerAddress, SERVER_ADDRESS_RULE } from "../probe/server-address.ts";
import type { Reservation } from "../probe/slots.ts";
import type { TargetPolicy } from "../probe/target-policy.ts";
import type { Verdict } from "../probe/verdict.ts";
import type { CheckQuery, CheckResult } from "../shared/api/checks.ts";
import type { FieldError } from "../shared/field-errors.ts";
import { Refusal, tooMany } from "./refusal.ts";

/** When checks that wait now will have come to an end, about. */
const BUSY_SECONDS = 5;

/** Where checks wait for their turn. */
export interface Places {
  /** For as many checks, or undefined when they do not fit any more. */
  reserve(checks: number): Reservation | undefined;
}

export interface CheckRunParts {
  /** The probe for a request of so many checks. */
  probeFor: (checks: number) => Pick<Probe, "check">;
  places: Places;
  clock: { now(): number };
}

/**
 * What is to be checked.
 * @param pathOf where the `server` of the n-th stands in the request
 * @throws Refusal invalid_request
 */
export function toTargets(
  queries: readonly CheckQuery[],
  pathOf: (index: number) => string,
): CheckTarget[] {
  const fields: FieldError[] = [];
  const targets = queries.flatMap((query, index) => {
    const server = parseServerAddress(query.server);
    if (!server) fields.push({ path: pathOf(index), message: SERVER_ADDRESS_RULE });
    return server
      ? [{ server, networkName: query.network_name, networkSecret: query.network_secret }]
      : [];
  });
  if (fields.length > 0) throw Refusal.ofFields(fields);
  return targets;
}

/** Places for as many checks. @throws Refusal rate_limited */
export function reserve(places: Places, checks: number): Reservation {
  const reservation = places.reserve(checks);
  if (!reservation) throw tooMany("Too many checks are under way", BUSY_SECONDS);
  return reservation;
}

/** Checks all at once, as far as their places allow; results in the order of the targets. */
export async function runChecks(
  { probeFor, clock }: CheckRunParts,
  targets: readonly CheckTarget[],
  reservation: Reservation,
  policy: TargetPolicy,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const probe = probeFor(targets.length);
  try {
    return await Promise.all(
      targets.map((target) =>
        reservation.run(async () =>
          toResult(await probe.check(target, policy, signal), clock.now()),
        ),
      ),
    );
  } finally {
    reservation.release();
  }
}

/** Nothing here knows who is connected to a node. */
function toResult(verdict: Verdict, at: number): CheckResult {
  const check_time = new Date(at).toISOString();
  if (!verdict.isOnline) {
    const { error } = verdict;
    return { is_online: false, connection_count: 0, latency_ms: -1, check_time, error };
  }
  const { latencyMs: latency_ms, handshake } = verdict;
  return { is_online: true, connection_count: 0, latency_ms, check_time, handshake };
}
