import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Hole } from "./hole.ts";
import type { Observation } from "./observation.ts";

export interface ProberParts {
  clock: Clock;
  logger: Logger;
  /** The hole while it is open. */
  hole: () => Hole | undefined;
  endpointOf: (server: string) => Endpoint | undefined;
  /** What every probe showed, in the order in which they end. */
  onObservation: (server: string, observation: Observation) => void;
}

/** Asks servers through a hole, each one thing at a time: who asks meanwhile gets the same answer. */
export class Prober {
  readonly #parts: ProberParts;
  readonly #life = new AbortController();
  readonly #running = new Map<string, Promise<Observation>>();

  constructor(parts: ProberParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  ask(server: string): Promise<Observation> {
    const running = this.#running.get(server);
    if (running) return running;
    const probe = this.#probe(server);
    this.#running.set(server, probe);
    return probe;
  }

  /** Ends what runs; nothing more is observed. */
  async stop(): Promise<void> {
    this.#life.abort(new Error("The rule is stopped"));
    await Promise.all(this.#running.values());
  }

  /** A probe that could not be made. */
  noAnswer(server: string, error: string): Observation {
    return { at: this.#parts.clock.now(), server, mapped: null, rttMs: null, error };
  }

  async #probe(server: string): Promise<Observation> {
    const { endpointOf, hole, logger, onObservation } = this.#parts;
    const { signal } = this.#life;
    let observation: Observation;
    try {
      const endpoint = endpointOf(server);
      const open = hole();
      // Awaited in any case: it must not end before it is noted as running.
      observation = await (endpoint && open
        ? open.probe(endpoint, signal)
        : this.noAnswer(server, "The server could not be asked"));
    } catch (error) {
      if (!signal.aborted) logger.error({ err: error, server }, "a probe went wrong");
      observation = this.noAnswer(server, "The probe was given up");
    }
    this.#running.delete(server);
    if (!signal.aborted) onObservation(server, observation);
    return observation;
  }
}
