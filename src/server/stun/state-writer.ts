import type { Database } from "../database/database.ts";
import type { Logger } from "../lib/logger.ts";
import { writeStates, type KnownState } from "./store.ts";

const STATES_AT_ONCE = 100;

export interface StateWriterParts {
  database: Pick<Database, "db" | "dialect">;
  instance: string;
  /** How a rule runs; undefined when it no longer runs here. */
  read: (ruleId: number) => KnownState | undefined;
  logger: Logger;
}

/** Stores how rules run, for the other instances, and the ports that were picked. */
export class StateWriter {
  readonly #parts: StateWriterParts;
  readonly #changed = new Set<number>();
  #isAway = false;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(parts: StateWriterParts) {
    this.#parts = parts;
  }

  note(ruleId: number): void {
    this.#changed.add(ruleId);
  }

  /** One after the other. Never rejects: what could not be stored is tried the next time. */
  flush(): Promise<void> {
    this.#lastFlush = this.#lastFlush.then(() => this.#flush());
    return this.#lastFlush;
  }

  async #flush(): Promise<void> {
    const { database, instance, read, logger } = this.#parts;
    while (this.#changed.size > 0) {
      const ids = [...this.#changed].slice(0, STATES_AT_ONCE);
      for (const id of ids) this.#changed.delete(id);
      const known = ids.flatMap((id) => {
        const state = read(id);
        return state ? [[id, state] as const] : [];
      });
      if (known.length === 0) continue;
      try {
        await writeStates(database, instance, new Map(known));
        this.#isAway = false;
      } catch (error) {
        for (const id of ids) this.#changed.add(id);
        if (!this.#isAway) logger.warn({ err: error }, "states of rules wait for the database");
        this.#isAway = true;
        return;
      }
    }
  }
}
