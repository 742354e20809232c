import { Slots, type Reservation } from "../../probe/slots.ts";
import type { Places } from "../checks.ts";

/** Connections that one invocation may be opening at a time; the platform holds back the seventh. */
const CONNECTIONS = 6;

const CONNECT_LIMIT_MS = 5_000;
/** What is left for connecting of the 20 s that the service waits for an answer. */
const CONNECTING_MS = 16_000;

/** How long each of so many checks may take to connect: 4 s instead of 5 with 19 or 20 of them. */
export function connectLimitMs(checks: number): number {
  const rounds = Math.ceil(checks / CONNECTIONS);
  return Math.min(CONNECT_LIMIT_MS, CONNECTING_MS / rounds);
}

/**
 * Runs the checks of one invocation six at a time, so that none is timed while the platform makes
 * it wait. Invocations do not wait for each other, which the platform takes for a hang: when an
 * isolate has no place left, that is all.
 */
export class InvocationPlaces implements Places {
  readonly #isolate: Slots;

  /** @param checksAtOnce in the whole isolate */
  constructor(checksAtOnce: number) {
    this.#isolate = new Slots(checksAtOnce, 0);
  }

  reserve(checks: number): Reservation | undefined {
    const held = this.#isolate.reserve(Math.min(checks, CONNECTIONS));
    const own = new Slots(CONNECTIONS, checks).reserve(checks);
    if (!held || !own) return undefined;
    return {
      run: (work) => own.run(work),
      release: () => {
        own.release();
        held.release();
      },
    };
  }
}
