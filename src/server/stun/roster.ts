/** Unanswered probes in a row after which a server counts as down. */
const DOWN_AFTER = 2;
/** How long a silence of some time ago says anything about now. */
const SILENCE_COUNTS_MS = 60_000;

interface Standing {
  failures: number;
  failedAt: number;
  isDoubted: boolean;
}

/** The servers of a rule by their pinned addresses, and how far each of them is to be believed. */
export class Roster {
  #servers: readonly string[] = [];
  readonly #standings = new Map<string, Standing>();

  get servers(): readonly string[] {
    return this.#servers;
  }

  /** Forgets those that are no longer asked. */
  use(servers: readonly string[]): void {
    this.#servers = servers;
    for (const server of this.#standings.keys()) {
      if (!servers.includes(server)) this.#standings.delete(server);
    }
  }

  answered(server: string): void {
    this.#of(server).failures = 0;
  }

  failed(server: string, now: number): void {
    const standing = this.#of(server);
    standing.failures++;
    standing.failedAt = now;
  }

  isDown(server: string, now: number): boolean {
    const { failures, failedAt } = this.#of(server);
    return failures >= DOWN_AFTER && now - failedAt <= SILENCE_COUNTS_MS;
  }

  /** Another server has contradicted it: by itself it proves nothing until one agrees with it. */
  doubt(server: string): void {
    this.#of(server).isDoubted = true;
  }

  trust(server: string): void {
    this.#of(server).isDoubted = false;
  }

  isDoubted(server: string): boolean {
    return this.#standings.get(server)?.isDoubted ?? false;
  }

  /** Whether a server beside this one can be asked and believed. */
  hasOtherWitness(server: string, now: number): boolean {
    return this.#servers.some(
      (each) => each !== server && !this.isDoubted(each) && !this.isDown(each, now),
    );
  }

  isOnlyOneUp(server: string, now: number): boolean {
    return this.#servers.every((each) => each === server || this.isDown(each, now));
  }

  /** Whom to ask after those in `taken`: first those that answer and were not contradicted. */
  nextWitness(taken: ReadonlySet<string>, now: number): string | undefined {
    const free = this.#servers.filter((each) => !taken.has(each));
    const rank = (server: string) =>
      (this.isDown(server, now) ? 2 : 0) + (this.isDoubted(server) ? 1 : 0);
    return free.toSorted((a, b) => rank(a) - rank(b))[0];
  }

  #of(server: string): Standing {
    let standing = this.#standings.get(server);
    if (!standing) {
      standing = { failures: 0, failedAt: Number.NEGATIVE_INFINITY, isDoubted: false };
      this.#standings.set(server, standing);
    }
    return standing;
  }
}
