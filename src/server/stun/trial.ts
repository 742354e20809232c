import { sameEndpoint, type Endpoint } from "./endpoint.ts";
import type { Roster } from "./roster.ts";

/** Answers that are older have no voice: the mapping may have changed since. */
const WINDOW_MS = 10_000;
const ASK_AGAIN_MS = 1_000;
/** Answers of one server that stand for those of two, when nobody else answers. */
const ALONE = 3;
/** When servers that contradict each other are believed to go on so. */
const PATIENCE_MS = 10_000;
const END_MS = 30_000;
const MOST_WITNESSES = { thorough: 5, brief: 3 } as const;

/** What a server sees. */
export interface View {
  server: string;
  mapped: Endpoint;
}

export type Finding =
  | { kind: "agreed"; mapped: Endpoint; servers: string[]; dissenters: string[] }
  | { kind: "disagreed"; views: View[] }
  /** Too few answered, or only one that is doubted. */
  | { kind: "unsupported"; view: View | undefined };

interface Witness {
  /** When it is to be asked; Infinity while an answer is awaited, or none is wanted. */
  askAt: number;
  isAwaited: boolean;
  vote: { mapped: Endpoint; at: number; run: number } | undefined;
}

/**
 * Asks several servers what they see, until enough of them agree. A thorough trial asks again each
 * second; one that is not asks each witness once. Times are milliseconds of a clock that only goes
 * forwards.
 */
export class Trial {
  readonly #roster: Roster;
  readonly #isThorough: boolean;
  readonly #mostWitnesses: number;
  readonly #startedAt: number;
  readonly #witnesses = new Map<string, Witness>();
  #widenAt: number;

  constructor(roster: Roster, first: View, now: number, isThorough: boolean) {
    this.#roster = roster;
    this.#isThorough = isThorough;
    this.#mostWitnesses = isThorough ? MOST_WITNESSES.thorough : MOST_WITNESSES.brief;
    this.#startedAt = now;
    this.#widenAt = now + ASK_AGAIN_MS;
    this.#hear(first.server, first.mapped, now);
    this.#widen(now);
  }

  observe(server: string, mapped: Endpoint, now: number): void {
    this.#hear(server, mapped, now);
    if (this.#votes(now).length > 1) this.#widen(now);
  }

  fail(server: string, now: number): void {
    this.#schedule(this.#witness(server), now);
    this.#widen(now);
  }

  /** The servers to ask now. Of each, an answer or a failure must be told. */
  ask(now: number): string[] {
    if (now >= this.#widenAt) this.#widen(now);
    const due: string[] = [];
    for (const [server, witness] of this.#witnesses) {
      if (witness.askAt > now || !this.#roster.servers.includes(server)) continue;
      witness.askAt = Number.POSITIVE_INFINITY;
      witness.isAwaited = true;
      due.push(server);
    }
    return due;
  }

  /** When `ask` or `find` may say something new. */
  get wakeAt(): number {
    let at = this.#widenAt;
    for (const witness of this.#witnesses.values()) at = Math.min(at, witness.askAt);
    return at;
  }

  find(now: number): Finding | undefined {
    const votes = this.#votes(now);
    const best = mostAgreed(votes, (each) => this.#parties(each));
    const [first] = votes;
    if (best && this.#convinces(best, votes, now)) {
      const dissenters = votes.filter((each) => !best.includes(each));
      return {
        kind: "agreed",
        mapped: (best[0] as Vote).mapped,
        servers: best.map((each) => each.server),
        dissenters: dissenters.map((each) => each.server),
      };
    }
    if (!this.#isOver(votes, now)) return undefined;
    if (!isDivided(votes)) return { kind: "unsupported", view: first };
    return { kind: "disagreed", views: votes.map(({ server, mapped }) => ({ server, mapped })) };
  }

  /** Servers of the same people are one voice, however many they are. */
  #convinces(best: readonly Vote[], votes: readonly Vote[], now: number): boolean {
    const voices = this.#parties(best);
    if (voices > 1) return voices * 2 > this.#parties(votes);
    const [only] = best;
    if (!only || isDivided(votes) || best.every((each) => each.run < ALONE)) return false;
    const { server } = only;
    return !this.#roster.isPartyDoubted(server) && this.#roster.isOnlyPartyUp(server, now);
  }

  #parties(votes: readonly Vote[]): number {
    return new Set(votes.map((each) => this.#roster.partyOf(each.server))).size;
  }

  #isOver(votes: readonly Vote[], now: number): boolean {
    const age = now - this.#startedAt;
    if (age >= END_MS) return true;
    if (!this.#isThorough) {
      const waits = [...this.#witnesses.values()].some((each) => each.isAwaited);
      return !waits && !this.#hasMore(now) && this.#asksNobody();
    }
    if (age < PATIENCE_MS) return false;
    const [first] = votes;
    if (isDivided(votes)) return true;
    // Nothing more will come of it.
    return (
      first !== undefined &&
      this.#roster.isPartyDoubted(first.server) &&
      this.#roster.isOnlyPartyUp(first.server, now)
    );
  }

  #asksNobody(): boolean {
    return [...this.#witnesses.values()].every((each) => each.askAt === Number.POSITIVE_INFINITY);
  }

  #hasMore(now: number): boolean {
    const isWide = this.#witnesses.size >= this.#mostWitnesses;
    return !isWide && this.#roster.nextWitness(new Set(this.#witnesses.keys()), now) !== undefined;
  }

  #hear(server: string, mapped: Endpoint, now: number): void {
    const witness = this.#witness(server);
    const { vote } = witness;
    const goesOn = vote && now - vote.at <= WINDOW_MS && sameEndpoint(vote.mapped, mapped);
    witness.vote = { mapped, at: now, run: goesOn ? vote.run + 1 : 1 };
    this.#schedule(witness, now);
  }

  #schedule(witness: Witness, now: number): void {
    witness.isAwaited = false;
    witness.askAt = this.#isThorough ? now + ASK_AGAIN_MS : Number.POSITIVE_INFINITY;
  }

  /** Asks one server more, if there is one. */
  #widen(now: number): void {
    this.#widenAt = now + ASK_AGAIN_MS;
    if (this.#witnesses.size >= this.#mostWitnesses) return;
    const next = this.#roster.nextWitness(new Set(this.#witnesses.keys()), now);
    if (next !== undefined) this.#witness(next).askAt = now;
  }

  #witness(server: string): Witness {
    let witness = this.#witnesses.get(server);
    if (!witness) {
      witness = { askAt: Number.POSITIVE_INFINITY, isAwaited: false, vote: undefined };
      this.#witnesses.set(server, witness);
    }
    return witness;
  }

  #votes(now: number): Vote[] {
    return [...this.#witnesses].flatMap(([server, { vote }]) =>
      vote && now - vote.at <= WINDOW_MS && this.#roster.servers.includes(server)
        ? [{ server, mapped: vote.mapped, run: vote.run }]
        : [],
    );
  }
}

interface Vote extends View {
  run: number;
}

function isDivided([first, ...others]: readonly Vote[]): boolean {
  return first !== undefined && others.some((each) => !sameEndpoint(each.mapped, first.mapped));
}

/** The votes for the address that most have seen; of two with as many, the one seen first. */
function mostAgreed(
  votes: readonly Vote[],
  weigh: (votes: readonly Vote[]) => number,
): Vote[] | undefined {
  const groups: Vote[][] = [];
  for (const vote of votes) {
    const group = groups.find(([first]) => first && sameEndpoint(first.mapped, vote.mapped));
    if (group) group.push(vote);
    else groups.push([vote]);
  }
  return groups.toSorted((a, b) => weigh(b) - weigh(a))[0];
}
