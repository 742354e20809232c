import { Counter, Histogram, type Metric } from "prom-client";
import type { Slots } from "../../probe/slots.ts";
import type { CheckResult } from "../../shared/api/checks.ts";
import { AppError } from "../lib/errors.ts";
import { counterOf, gaugeOf } from "../lib/metric.ts";

/** Upper bounds in seconds: a connect has 5 s and the handshake 3 s after it. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 20];

/** Counts what the checks that were asked for have come to. */
export class CheckMeter {
  readonly #results = new Counter({
    name: "waypost_checks_total",
    help: "Checks that were asked for, by what they showed.",
    labelNames: ["result"],
    registers: [],
  });
  readonly #handshakes = new Counter({
    name: "waypost_check_handshakes_total",
    help: "Handshakes after a connection had opened, by what they showed.",
    labelNames: ["handshake"],
    registers: [],
  });
  readonly #failures = new Counter({
    name: "waypost_check_function_failures_total",
    help: "Requests to the check function without a valid answer.",
    labelNames: ["code"],
    registers: [],
  });
  readonly #durations = new Histogram({
    name: "waypost_check_duration_seconds",
    help: "Time from a request for checks to its last result.",
    labelNames: ["kind"],
    buckets: DURATIONS,
    registers: [],
  });

  readonly #slots: Pick<Slots, "running" | "waiting">;

  readonly #refused: () => number;

  /** @param refused targets that the policy has refused */
  constructor(slots: Pick<Slots, "running" | "waiting">, refused: () => number) {
    this.#slots = slots;
    this.#refused = refused;
  }

  get metrics(): Metric[] {
    const slots = this.#slots;
    return [
      this.#results,
      this.#handshakes,
      this.#failures,
      this.#durations,
      counterOf(
        "waypost_checks_refused_total",
        "Targets of checks that CHECK_POLICY has refused.",
        this.#refused,
      ),
      gaugeOf("waypost_checks_running", "Checks under way.", () => slots.running),
      gaugeOf("waypost_checks_waiting", "Checks that wait for others to end.", () => slots.waiting),
    ];
  }

  finished(kind: "single" | "batch", results: readonly CheckResult[], durationMs: number): void {
    this.#durations.observe({ kind }, durationMs / 1000);
    for (const result of results) {
      this.#results.inc({ result: result.is_online ? "online" : "offline" });
      if (result.is_online && result.handshake) {
        this.#handshakes.inc({ handshake: result.handshake });
      }
    }
  }

  failed(error: unknown): void {
    if (error instanceof AppError && error.code.startsWith("check_function_")) {
      this.#failures.inc({ code: error.code });
    }
  }
}
