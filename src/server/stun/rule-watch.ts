import { isIPv6 } from "node:net";
import type { RuleStatus } from "../../shared/api/stun.ts";
import { formatHostPort, type HostPort } from "../lib/host-port.ts";
import { describeDisagreement } from "./disagreement.ts";
import { HoleKeeper } from "./hole-keeper.ts";
import type { Hole } from "./hole.ts";
import { askInTurn } from "./in-turn.ts";
import type { Judge, Ruling } from "./judge.ts";
import { KeepAlivePace } from "./keep-alive-pace.ts";
import type { Observation } from "./observation.ts";
import { Prober } from "./prober.ts";
import { differences, type LiveState, type StunRule } from "./rule.ts";
import { ServerList } from "./server-list.ts";
import type { WheelTimer } from "./timer-wheel.ts";
import {
  hasSameHole,
  hostsOf,
  isJudgedAlike,
  newJudge,
  type WatchMemory,
  type WatchParts,
} from "./watch-parts.ts";

/** How much earlier than planned a probe may come, as a part of the interval. */
const JITTER = 0.08;
const SECOND_SERVER_EVERY_MS = 300_000;
const RESOLVE_AGAIN_MS = 30_000;
const MOST_SERVERS_IN_ROUND = 4;
const PATIENCE_MS = { udp: 1_000, tcp: 2_500 } as const;

/** Probes through the hole of one rule and has a judge decide what that shows. */
export class RuleWatch {
  readonly #parts: WatchParts;
  readonly #keeper: HoleKeeper;
  readonly #prober: Prober;
  #rule: StunRule;
  #judge: Judge;
  #hosts: readonly HostPort[];
  #servers: ServerList;
  #pace: KeepAlivePace;
  #round: Promise<Observation> | undefined;
  #timer: WheelTimer | undefined;
  #wake: WheelTimer | undefined;
  /** When the next round is due, before jitter. */
  #due = 0;
  #secondAt: number;
  #resolvedAt = Number.NEGATIVE_INFINITY;
  #stopped: { status: RuleStatus; reason: string | null } | undefined;
  #roundError: string | null = null;
  #server: string | null = null;
  #lastProbeAt: number | null = null;
  #shown = "";

  constructor(rule: StunRule, memory: WatchMemory, parts: WatchParts) {
    const now = parts.time.now();
    this.#rule = rule;
    this.#parts = parts;
    this.#hosts = hostsOf(rule, parts);
    this.#servers = new ServerList(this.#hosts, parts.names);
    this.#judge = newJudge(rule, memory);
    this.#pace = new KeepAlivePace(rule.probeIntervalSeconds * 1000, now);
    this.#secondAt = now + SECOND_SERVER_EVERY_MS;
    this.#keeper = new HoleKeeper(rule, memory.pickedPort, parts, {
      onOpen: () => this.#begin(),
      onRenewed: () => this.#plan(parts.time.now()),
      onChanged: () => this.#notice(),
    });
    this.#prober = new Prober({
      clock: parts.clock,
      logger: parts.logger,
      hole: () => this.#keeper.hole,
      endpointOf: (server) => this.#servers.get(server),
      onObservation: (server, observation) => this.#take(server, observation),
    });
  }

  get rule(): StunRule {
    return this.#rule;
  }

  /** While it is open. */
  get hole(): Hole | undefined {
    return this.#keeper.hole;
  }

  get pickedPort(): number | null {
    return this.#keeper.pickedPort;
  }

  get state(): LiveState {
    return {
      status: this.#status,
      local: this.hole?.local ?? null,
      server: this.#server,
      lastProbeAt: this.#lastProbeAt,
      consecutiveFailures: this.#judge.failedRounds,
      lastError: this.#lastError,
    };
  }

  /** @param delayMs before the hole is opened */
  start(delayMs: number): void {
    this.#keeper.start(delayMs);
  }

  /**
   * Goes on with the same hole under other settings.
   * @returns false when they need another hole
   */
  adopt(rule: StunRule, memory: WatchMemory): boolean {
    if (!hasSameHole(rule, this.#rule)) return false;
    const isAlike = isJudgedAlike(rule, this.#rule);
    this.#rule = rule;
    this.#keeper.adopt(rule);
    if (isAlike) return true;
    this.#hosts = hostsOf(rule, this.#parts);
    this.#servers = new ServerList(this.#hosts, this.#parts.names);
    this.#judge = newJudge(rule, memory);
    this.#pace = new KeepAlivePace(rule.probeIntervalSeconds * 1000, this.#parts.time.now());
    if (this.hole) this.#begin();
    return true;
  }

  /** Leaves no socket and no timer; from then on the state is `status`, because of `reason`. */
  async stop(status: RuleStatus, reason: string | null): Promise<void> {
    this.#stopped = { status, reason };
    this.#parts.wheel.cancel(this.#timer);
    this.#parts.wheel.cancel(this.#wake);
    const stopped = this.#prober.stop();
    await this.#keeper.stop();
    await stopped;
    this.#notice();
  }

  /** A round of probes now; undefined while the hole is not open. */
  async probe(): Promise<Observation | undefined> {
    return this.hole ? this.#runRound() : undefined;
  }

  get #status(): RuleStatus {
    if (this.#stopped) return this.#stopped.status;
    if (this.hole) return this.#judge.status(this.#parts.time.now());
    return this.#keeper.error === null ? "starting" : "error";
  }

  get #lastError(): string | null {
    if (this.#stopped) return this.#stopped.reason;
    const { disagreement } = this.#judge;
    if (this.#keeper.error !== null) return this.#keeper.error;
    if (disagreement.length > 0) return describeDisagreement(disagreement, this.#rule.transport);
    if (this.#roundError === null) return this.#keeper.unheld;
    const { complaint } = this.#servers;
    return complaint ? `${this.#roundError}; ${complaint}` : this.#roundError;
  }

  #begin(): void {
    this.#judge.restart();
    this.#due = this.#parts.time.now();
    this.#plan(this.#due);
    this.#notice();
  }

  #plan(at: number): void {
    if (this.#stopped) return;
    this.#parts.wheel.cancel(this.#timer);
    this.#timer = this.#parts.wheel.at(at, () => void this.#runRound());
  }

  /** From the time that was due and not from now, so that rounds do not drift. */
  #planNext(): void {
    if (!this.hole) return;
    const { intervalMs } = this.#pace;
    const now = this.#parts.time.now();
    // A round that was asked for in between does not put off the next one.
    const isDone = this.#due - now <= JITTER * intervalMs;
    if (isDone) this.#due = Math.max(this.#due + intervalMs, now);
    this.#plan(this.#due - this.#parts.chance() * JITTER * intervalMs);
  }

  /** One round at a time; who asks meanwhile gets the same. Never rejects. */
  #runRound(): Promise<Observation> {
    this.#round ??= this.#askServers().finally(() => {
      this.#round = undefined;
      this.#planNext();
    });
    return this.#round;
  }

  async #askServers(): Promise<Observation> {
    const { time, wheel } = this.#parts;
    if (this.#servers.servers.length === 0) await this.#resolve();
    const order = this.#order();
    if (order.length === 0) {
      const names = this.#hosts.map(formatHostPort).join(", ");
      const error = `None of the STUN servers has an address: ${names}`;
      return this.#endRound(this.#prober.noAnswer(names, error));
    }
    this.#askSecond(order);
    const observation = await askInTurn(order.slice(0, MOST_SERVERS_IN_ROUND), {
      ask: (server) => this.#prober.ask(server),
      wheel,
      time,
      patienceMs: PATIENCE_MS[this.#rule.transport],
    });
    return this.#endRound(observation);
  }

  async #endRound(observation: Observation): Promise<Observation> {
    if (!this.hole || this.#stopped) return observation;
    const now = this.#parts.time.now();
    this.#roundError = observation.error;
    this.#lastProbeAt = observation.at;
    if (observation.mapped) {
      this.#servers.prefer(observation.server);
      this.#pace.answered(now);
      this.#keeper.proved();
    } else {
      this.#follow(this.#judge.failRound(now));
      if (now - this.#resolvedAt >= RESOLVE_AGAIN_MS) await this.#resolve();
    }
    this.#notice();
    return observation;
  }

  /** Now and then others are asked, too: they would see if the first one is wrong. */
  #askSecond([first, ...rest]: readonly string[]): void {
    const { chance, time } = this.#parts;
    const { parties } = this.#servers;
    const now = time.now();
    const strangers = rest.filter((each) => parties.get(each) !== parties.get(first ?? each));
    const others = strangers.length > 0 ? strangers : rest;
    const second = others[Math.floor(chance() * others.length)];
    if (now < this.#secondAt || second === undefined) return;
    this.#secondAt = now + SECOND_SERVER_EVERY_MS;
    void this.#prober.ask(second);
  }

  #order(): string[] {
    return this.#servers.order(this.#parts.time.now(), (each) => this.#judge.isDoubted(each));
  }

  #take(server: string, observation: Observation): void {
    if (!this.hole) return;
    const now = this.#parts.time.now();
    this.#parts.onObservation(this.#rule.id, observation);
    this.#lastProbeAt = observation.at;
    if (observation.mapped) {
      this.#server = server;
      this.#roundError = null;
      this.#servers.answered(server);
      this.#follow(this.#judge.observe(server, observation.mapped, now));
    } else {
      this.#servers.failed(server, now);
      this.#follow(this.#judge.fail(server, now));
    }
    this.#notice();
  }

  #follow({ ask, wakeAt, confirmed }: Ruling): void {
    const { wheel, time } = this.#parts;
    wheel.cancel(this.#wake);
    this.#wake = undefined;
    if (wakeAt !== null) {
      this.#wake = wheel.at(wakeAt, () => {
        this.#follow(this.#judge.wake(time.now()));
        this.#notice();
      });
    }
    for (const server of ask) void this.#prober.ask(server);
    if (!confirmed) return;
    const { previous, mapping } = confirmed;
    if (previous && !differences(previous, mapping).includes("ip")) {
      this.#pace.portChanged(time.now());
    }
    this.#parts.onConfirmed(this.#rule.id, confirmed);
  }

  /** Finds the servers' addresses, again when none of them answers. */
  async #resolve(): Promise<void> {
    const { hole } = this;
    if (!hole) return;
    this.#resolvedAt = this.#parts.time.now();
    await this.#servers.resolve(isIPv6(hole.local.address));
    this.#judge.useServers(this.#servers.servers, this.#servers.parties);
  }

  /** Tells of a state that is another than the one told before. */
  #notice(): void {
    const shown = `${this.#status} ${this.#lastError ?? ""}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#parts.onChanged(this.#rule.id);
  }
}
