import type { ServerEvent } from "../../shared/api/events.ts";
import type { Rule } from "../../shared/api/stun.ts";
import type { Logger } from "../lib/logger.ts";

export interface RuleFeedParts {
  /** Those of the ids that there are. */
  read: (ids: readonly number[]) => Promise<Rule[]>;
  /** Resolves when the readers can take more. */
  tell: (event: ServerEvent) => Promise<void>;
  /** No rule is shown again before. */
  everyMs: number;
  logger: Logger;
}

/** Thousands of rules that change together are told one part after the other. */
const RULES_AT_ONCE = 1_000;

/** Shows rules that have changed: at once when it was quiet, and none of them too often. */
export class RuleFeed {
  readonly #parts: RuleFeedParts;
  readonly #changed = new Set<number>();
  #flushedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isFlushing = false;
  #isClosed = false;

  constructor(parts: RuleFeedParts) {
    this.#parts = parts;
  }

  note(ruleId: number): void {
    this.#changed.add(ruleId);
    this.#plan();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #plan(): void {
    if (this.#isClosed || this.#timer || this.#isFlushing || this.#changed.size === 0) return;
    const waitMs = Math.max(0, this.#flushedAt + this.#parts.everyMs - performance.now());
    this.#timer = setTimeout(() => void this.#flush(), waitMs);
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    const { read, tell, logger } = this.#parts;
    const ids = [...this.#changed].slice(0, RULES_AT_ONCE);
    for (const id of ids) this.#changed.delete(id);
    this.#timer = undefined;
    this.#isFlushing = true;
    this.#flushedAt = performance.now();
    try {
      const found = await read(ids);
      for (const rule of found) await tell({ event: "stun_rule", data: rule });
      const known = new Set(found.map((rule) => rule.id));
      for (const id of ids) {
        if (!known.has(id)) await tell({ event: "stun_rule_removed", data: { id } });
      }
    } catch (error) {
      for (const id of ids) this.#changed.add(id);
      logger.debug({ err: error }, "changed rules could not be read for the readers of events");
    }
    this.#isFlushing = false;
    this.#plan();
  }
}
