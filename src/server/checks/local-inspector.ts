import type { CheckResult } from "../../shared/api/checks.ts";
import type { CheckTarget, Probe } from "../../probe/probe.ts";
import { toIso, type Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { reportedConnections } from "./connection-count.ts";
import type { Inspection, Inspector } from "./inspector.ts";

/** Checks from here, with our own probe. */
export class LocalInspector implements Inspector {
  readonly mode = "local";
  readonly #probe: Probe;
  readonly #fleet: Fleet;
  readonly #clock: Clock;

  constructor(probe: Probe, fleet: Fleet, clock: Clock) {
    this.#probe = probe;
    this.#fleet = fleet;
    this.#clock = clock;
  }

  one(target: CheckTarget, { policy, places, signal }: Inspection): Promise<CheckResult> {
    return places.run(async () => {
      // It may have waited for its place in vain.
      signal.throwIfAborted();
      const verdict = await this.#probe.check(target, policy, signal);
      signal.throwIfAborted();
      const check_time = toIso(this.#clock.now());
      return verdict.isOnline
        ? {
            is_online: true,
            connection_count: reportedConnections(this.#fleet, target.server),
            latency_ms: verdict.latencyMs,
            check_time,
            handshake: verdict.handshake,
          }
        : offline(verdict.error, check_time);
    });
  }

  batch(targets: readonly CheckTarget[], inspection: Inspection): Promise<CheckResult[]> {
    return Promise.all(targets.map((target) => this.one(target, inspection)));
  }
}

export function offline(error: string, check_time: string): CheckResult {
  return { is_online: false, connection_count: 0, latency_ms: -1, check_time, error };
}
