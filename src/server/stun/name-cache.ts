import { isIP } from "node:net";
import type { Resolver } from "../../probe/sockets.ts";
import type { Timekeeper } from "./timer-wheel.ts";

const LIFE_MS = 60_000;

/** Asks for each name once a minute at most, however many rules name it. */
export class NameCache {
  readonly #resolver: Resolver;
  readonly #time: Timekeeper;
  readonly #life = new AbortController();
  readonly #answers = new Map<string, { at: number; addresses: Promise<string[]> }>();

  constructor(resolver: Resolver, time: Timekeeper) {
    this.#resolver = resolver;
    this.#time = time;
  }

  /** Addresses of a host, none when it has none or cannot be resolved. Never rejects. */
  async resolve(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    const now = this.#time.now();
    const known = this.#answers.get(host);
    if (known && now - known.at < LIFE_MS) return known.addresses;
    const addresses = this.#resolver.resolve(host, this.#life.signal).catch(() => []);
    const answer = { at: now, addresses };
    this.#answers.set(host, answer);
    const found = await addresses;
    // That there is none is asked again each time.
    if (found.length === 0 && this.#answers.get(host) === answer) this.#answers.delete(host);
    return found;
  }

  /** Ends the questions that wait. */
  close(): void {
    this.#life.abort();
  }
}
