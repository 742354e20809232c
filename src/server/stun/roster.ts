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
  #parties: ReadonlyMap<string, string> = new Map();
  readonly #standings = new Map<string, Standing>();

  get servers(): readonly string[] {
    return this.#servers;
  }

  /** Whether nobody could contradict one of the servers but servers of the same people. */
  get isOneParty(): boolean {
    return new Set(this.#servers.map((each) => this.partyOf(each))).size === 1;
  }

  /**
   * Forgets those that are no longer asked.
   * @param parties servers of the same people have the same; absent = each speaks for itself
   */
  use(servers: readonly string[], parties: ReadonlyMap<string, string> = new Map()): void {
    this.#servers = servers;
    this.#parties = parties;
    for (const server of this.#standings.keys()) {
      if (!servers.includes(server)) this.#standings.delete(server);
    }
  }

  partyOf(server: string): string {
    return this.#parties.get(server) ?? server;
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

  /** Whether it or another server of the same people was contradicted. */
  isPartyDoubted(server: string): boolean {
    return this.#servers.some((each) => this.#isSameParty(each, server) && this.isDoubted(each));
  }

  /** Whether a server beside this one can be asked and believed. */
  hasOtherWitness(server: string, now: number): boolean {
    return this.#servers.some(
      (each) => each !== server && !this.isDoubted(each) && !this.isDown(each, now),
    );
  }

  /** Whether all others are down, but for those of the same people. */
  isOnlyPartyUp(server: string, now: number): boolean {
    return this.#servers.every((each) => this.#isSameParty(each, server) || this.isDown(each, now));
  }

  /**
   * Whom to ask after those in `taken`: first those that answer, are of other people and were not
   * contradicted.
   */
  nextWitness(taken: ReadonlySet<string>, now: number): string | undefined {
    const free = this.#servers.filter((each) => !taken.has(each));
    const heard = new Set([...taken].map((each) => this.partyOf(each)));
    const rank = (server: string) =>
      (this.isDown(server, now) ? 4 : 0) +
      (heard.has(this.partyOf(server)) ? 2 : 0) +
      (this.isDoubted(server) ? 1 : 0);
    return free.toSorted((a, b) => rank(a) - rank(b))[0];
  }

  #isSameParty(one: string, other: string): boolean {
    return this.partyOf(one) === this.partyOf(other);
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
