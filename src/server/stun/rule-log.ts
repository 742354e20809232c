import type { RuleStatus } from "../../shared/api/stun.ts";
import type { Logger } from "../lib/logger.ts";
import { formatEndpoint } from "./endpoint.ts";
import type { LiveState } from "./rule.ts";

/** Nothing goes through the hole, or nobody can rely on where it is. */
const failing: ReadonlySet<RuleStatus> = new Set([
  "lost",
  "unstable",
  "endpoint_dependent",
  "error",
]);

/** Says in the log when the hole of a rule opens, and when it fails: once each, not per probe. */
export class RuleLog {
  readonly #logger: Logger;
  /** The last status that was said, by rule. */
  readonly #said = new Map<number, RuleStatus>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  note(ruleId: number, rule: string, { status, local, server, ...state }: LiveState): void {
    const isFailing = failing.has(status);
    // Between these, it is not known yet.
    if ((!isFailing && status !== "open") || this.#said.get(ruleId) === status) return;
    this.#said.set(ruleId, status);
    const about = { rule, status, local: local && formatEndpoint(local), server };
    if (isFailing) {
      const { lastError: reason, consecutiveFailures } = state;
      this.#logger.warn({ ...about, reason, consecutiveFailures }, "a hole has failed");
    } else this.#logger.info(about, "a hole is open");
  }

  /** The next state of it is news. */
  forget(ruleId: number): void {
    this.#said.delete(ruleId);
  }
}
