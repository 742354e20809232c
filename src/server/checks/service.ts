import {
  CHECK_SERVICE,
  type CheckHealth,
  type CheckQuery,
  type CheckResult,
} from "../../shared/api/checks.ts";
import type { Reservation } from "../../probe/slots.ts";
import type { TargetPolicy } from "../../probe/target-policy.ts";
import { toIso, type Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { toTarget, toTargets } from "./input.ts";
import type { Inspection, Inspector } from "./inspector.ts";
import type { CheckLimits } from "./limits.ts";
import type { CheckMeter } from "./meter.ts";

/** Who asks. */
export interface Asker {
  /** IP address. */
  address: string;
  /** What may be dialled for this request. */
  policy: TargetPolicy;
  /** Aborts when the asker does not wait any more. */
  gone: AbortSignal;
}

export interface CheckServiceParts {
  inspector: Inspector;
  limits: CheckLimits;
  meter: CheckMeter;
  clock: Clock;
  /** Monotonic milliseconds. */
  now: () => number;
}

/** Says whether nodes are up. An offline node is a result; only what kept us from finding out throws. */
export class CheckService {
  readonly #inspector: Inspector;
  readonly #limits: CheckLimits;
  readonly #meter: CheckMeter;
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #underWay = new Set<AbortController>();
  #isStopped = false;

  constructor({ inspector, limits, meter, clock, now }: CheckServiceParts) {
    this.#inspector = inspector;
    this.#limits = limits;
    this.#meter = meter;
    this.#clock = clock;
    this.#now = now;
  }

  health(): CheckHealth {
    return {
      status: "ok",
      service: CHECK_SERVICE,
      mode: this.#inspector.mode,
      timestamp: toIso(this.#clock.now()),
    };
  }

  /** @throws AppError invalid_request, rate_limited, not_ready, check_function_… */
  async one(query: CheckQuery, asker: Asker): Promise<CheckResult> {
    const target = toTarget(query);
    const [result] = await this.#inspect("single", 1, asker, async (inspection) => [
      await this.#inspector.one(target, inspection),
    ]);
    if (!result) throw new Error("the check came to nothing");
    return result;
  }

  /**
   * One wrong node, and none is checked.
   * @throws AppError invalid_request, rate_limited, not_ready, check_function_…
   */
  async batch(nodes: readonly CheckQuery[], asker: Asker): Promise<CheckResult[]> {
    const targets = toTargets(nodes);
    return this.#inspect("batch", targets.length, asker, (inspection) =>
      this.#inspector.batch(targets, inspection),
    );
  }

  /** Gives up what is under way: it is answered with an error. */
  stop(): void {
    this.#isStopped = true;
    for (const ending of this.#underWay) ending.abort(stopping());
  }

  async #inspect(
    kind: "single" | "batch",
    count: number,
    asker: Asker,
    work: (inspection: Inspection) => Promise<CheckResult[]>,
  ): Promise<CheckResult[]> {
    if (this.#isStopped) throw stopping();
    const places: Reservation = this.#limits.reserve(asker.address, count);
    const ending = new AbortController();
    this.#underWay.add(ending);
    const startedAt = this.#now();
    try {
      const signal = AbortSignal.any([asker.gone, ending.signal]);
      const results = await work({ policy: asker.policy, places, signal });
      this.#meter.finished(kind, results, this.#now() - startedAt);
      return results;
    } catch (error) {
      this.#meter.failed(error);
      throw error;
    } finally {
      this.#underWay.delete(ending);
      places.release();
    }
  }
}

function stopping(): AppError {
  return new AppError("not_ready", "The service is stopping", { retryAfterSeconds: 2 });
}
