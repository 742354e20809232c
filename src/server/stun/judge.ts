import { sameEndpoint, type Endpoint } from "./endpoint.ts";
import { FlapGuard } from "./flap-guard.ts";
import { Roster } from "./roster.ts";
import { Trial, type View } from "./trial.ts";

const LOST_AFTER_ROUNDS = 3;
const VERIFY_AGAIN_MS = 1_000;
/** After it, one answer is not enough to say that an agreement still stands. */
const AGREEMENT_COUNTS_MS = 10_000;

export type JudgeStatus =
  | "starting"
  | "open"
  | "suspect"
  | "lost"
  | "unstable"
  | "endpoint_dependent";

/** A mapping that is to be stored. The first one ever has no `previous`. */
export interface ConfirmedMapping {
  mapping: Endpoint;
  previous: Endpoint | null;
  /** Servers that agreed on it. */
  servers: readonly string[];
}

/** What follows from what the judge was told. */
export interface Ruling {
  /** Servers to be asked at once. Of each, `observe` or `fail` must be told. */
  ask: readonly string[];
  /** When `wake` is due; null = not at all. */
  wakeAt: number | null;
  confirmed: ConfirmedMapping | null;
}

export interface JudgeOptions {
  /** How long a change is waited with, so that what follows it becomes one with it. */
  settleMs: number;
  /** The mapping that is stored; null when there has been none. */
  stored: Endpoint | null;
  /** When earlier changes were confirmed; those of ten minutes matter. */
  changedAt?: readonly number[];
}

/** A mapping that enough servers agree on and that is not stored. */
interface Candidate {
  mapping: Endpoint;
  servers: readonly string[];
  agreedAt: number;
  /** From then on it is asked for once more, and decided. */
  until: number;
  /** There have been so many changes that quiet is waited for. */
  isHeld: boolean;
  verifyAt: number;
  verifications: number;
}

type Standing = "starting" | "sound" | "unsupported" | "divided" | "lost";

/**
 * Decides whether what servers see of one hole is a change of its mapping; the cases are in
 * docs/decisions/0006-what-is-a-change.md. All times are milliseconds of a clock that only goes
 * forwards; it has no timers, opens nothing and asks nobody itself.
 */
export class Judge {
  readonly #roster = new Roster();
  readonly #flaps: FlapGuard;
  readonly #settleMs: number;
  #stored: Endpoint | null;
  #standing: Standing = "starting";
  #trial: Trial | null = null;
  #isBrief = false;
  #candidate: Candidate | null = null;
  #views: readonly View[] = [];
  #failedRounds = 0;

  constructor({ settleMs, stored, changedAt = [] }: JudgeOptions) {
    this.#settleMs = settleMs;
    this.#stored = stored;
    this.#flaps = new FlapGuard(changedAt);
  }

  /** Rounds in a row in which no server answered. */
  get failedRounds(): number {
    return this.#failedRounds;
  }

  /** What servers saw that did not agree; empty unless that is the state. */
  get disagreement(): readonly View[] {
    return this.#standing === "divided" ? this.#views : [];
  }

  /** Whether the server has been contradicted by others. */
  isDoubted(server: string): boolean {
    return this.#roster.isDoubted(server);
  }

  status(now: number): JudgeStatus {
    const isTried = this.#trial !== null && !this.#isBrief;
    if (this.#standing === "lost" && !isTried) return "lost";
    if (this.#standing === "divided") return "endpoint_dependent";
    if (this.#stored === null || (this.#standing === "starting" && !isTried)) return "starting";
    if (this.#candidate?.isHeld || this.#flaps.isUnstable(now)) return "unstable";
    if (isTried || this.#candidate || this.#standing === "unsupported") return "suspect";
    return "open";
  }

  /**
   * @param servers by their pinned addresses, the preferred ones first
   * @param parties servers of the same people have the same; absent = each speaks for itself
   */
  useServers(servers: readonly string[], parties?: ReadonlyMap<string, string>): void {
    this.#roster.use(servers, parties);
    if (!this.#roster.isOneParty) return;
    this.#trustAll();
    if (this.#standing === "divided") this.#standing = "unsupported";
  }

  /** The hole was opened anew: what is stored stands, what was being found out does not. */
  restart(): void {
    this.#standing = "starting";
    this.#trial = null;
    this.#candidate = null;
    this.#failedRounds = 0;
  }

  observe(server: string, mapped: Endpoint, now: number): Ruling {
    this.#roster.answered(server);
    this.#failedRounds = 0;
    if (this.#trial) {
      this.#trial.observe(server, mapped, now);
      return this.#proceed(now);
    }
    const expected = this.#candidate?.mapping ?? this.#stored;
    const isExpected = expected !== null && sameEndpoint(mapped, expected);
    if (this.#standing === "divided") this.#try({ server, mapped }, now, false);
    else if (isExpected) return this.#recognize({ server, mapped }, now);
    else if (!this.#mayIgnore(server, now)) this.#try({ server, mapped }, now, true);
    return this.#proceed(now);
  }

  /** One probe was not answered. Never a change. */
  fail(server: string, now: number): Ruling {
    this.#roster.failed(server, now);
    this.#trial?.fail(server, now);
    return this.#proceed(now);
  }

  /** A whole round of probes went unanswered. */
  failRound(now: number): Ruling {
    this.#failedRounds++;
    if (this.#failedRounds >= LOST_AFTER_ROUNDS) {
      this.#standing = "lost";
      this.#trial = null;
      this.#candidate = null;
    }
    return this.#proceed(now);
  }

  wake(now: number): Ruling {
    return this.#proceed(now);
  }

  /** An answer as it should be. */
  #recognize(view: View, now: number): Ruling {
    this.#standing = "sound";
    const candidate = this.#candidate;
    if (!candidate) this.#roster.trust(view.server);
    else if (now >= candidate.until && !this.#mayIgnore(view.server, now)) {
      const isOld = now - candidate.agreedAt > AGREEMENT_COUNTS_MS;
      if (isOld && !this.#roster.isOneParty) this.#try(view, now, true);
      else return this.#ruling(now, this.#decide(candidate, now));
    }
    return this.#proceed(now);
  }

  /** Others that answer contradict it: what it says alone is no reason to ask them again. */
  #mayIgnore(server: string, now: number): boolean {
    return this.#roster.isDoubted(server) && this.#roster.hasOtherWitness(server, now);
  }

  #try(first: View, now: number, isThorough: boolean): void {
    this.#isBrief = !isThorough;
    this.#trial = new Trial(this.#roster, first, now, isThorough);
  }

  #proceed(now: number): Ruling {
    const finding = this.#trial?.find(now);
    if (!finding) return this.#ruling(now, null);
    this.#trial = null;
    switch (finding.kind) {
      case "agreed":
        for (const each of finding.servers) this.#roster.trust(each);
        for (const each of finding.dissenters) this.#roster.doubt(each);
        this.#standing = "sound";
        return this.#ruling(now, this.#accept(finding.mapped, finding.servers, now));
      case "disagreed":
        for (const { server } of finding.views) this.#roster.doubt(server);
        this.#standing = "divided";
        this.#views = finding.views;
        this.#candidate = null;
        break;
      case "unsupported":
        this.#takeAlone(finding.view, now);
    }
    return this.#ruling(now, null);
  }

  /** Nobody else answered. It may say that nothing has changed, no more. */
  #takeAlone(view: View | undefined, now: number): void {
    const isStored = view && this.#stored && sameEndpoint(view.mapped, this.#stored);
    if (this.#standing !== "divided") this.#standing = isStored ? "sound" : "unsupported";
    else if (isStored && this.#roster.isOnlyPartyUp(view.server, now)) this.#standing = "sound";
    else if (view && this.#roster.isOneParty) {
      // They agree again, and are not asked for more than that.
      this.#trustAll();
      this.#standing = "unsupported";
    }
  }

  /** Nobody is left who could contradict them. */
  #trustAll(): void {
    for (const each of this.#roster.servers) this.#roster.trust(each);
  }

  /** Enough servers agree on a mapping. */
  #accept(mapping: Endpoint, servers: readonly string[], now: number): ConfirmedMapping | null {
    const before = this.#candidate;
    if (!before?.isHeld && this.#stored && sameEndpoint(this.#stored, mapping)) {
      this.#candidate = null;
      return null;
    }
    const wait = this.#stored === null ? 0 : this.#settleMs;
    let until = before?.until ?? now + wait;
    if (before?.isHeld && !sameEndpoint(before.mapping, mapping)) until = this.#flaps.moved(now);
    const candidate: Candidate = {
      mapping,
      servers,
      agreedAt: now,
      until,
      isHeld: before?.isHeld ?? false,
      verifyAt: until,
      verifications: 0,
    };
    this.#candidate = candidate;
    return now >= until ? this.#decide(candidate, now) : null;
  }

  #decide(candidate: Candidate, now: number): ConfirmedMapping | null {
    const { mapping, servers } = candidate;
    const previous = this.#stored;
    if (previous && !candidate.isHeld) {
      const until = this.#flaps.moved(now);
      if (this.#flaps.isUnstable(now)) {
        this.#candidate = { ...candidate, until, isHeld: true, verifyAt: until };
        return null;
      }
    }
    this.#candidate = null;
    if (previous && sameEndpoint(previous, mapping)) return null;
    this.#stored = mapping;
    return { mapping, previous, servers };
  }

  #ruling(now: number, confirmed: ConfirmedMapping | null): Ruling {
    const ask = this.#trial ? this.#trial.ask(now) : this.#verify(now);
    return { ask, wakeAt: this.#wakeAt(), confirmed };
  }

  /** Asks whether a candidate still holds whose time has come. */
  #verify(now: number): string[] {
    const candidate = this.#candidate;
    if (!candidate || now < candidate.verifyAt) return [];
    candidate.verifyAt = now + VERIFY_AGAIN_MS;
    const agreeing = candidate.servers.filter((each) => this.#roster.servers.includes(each));
    const others = this.#roster.servers.filter((each) => !agreeing.includes(each));
    const order = [...agreeing, ...others];
    const up = order.filter((each) => !this.#roster.isDown(each, now));
    const asked = up[candidate.verifications++ % Math.max(1, up.length)] ?? order[0];
    return asked === undefined ? [] : [asked];
  }

  #wakeAt(): number | null {
    if (this.#trial) return this.#trial.wakeAt;
    return this.#candidate?.verifyAt ?? null;
  }
}
