import type { Chance } from "../../src/server/lib/chance.ts";
import type { Endpoint } from "../../src/server/stun/endpoint.ts";
import { Judge, type ConfirmedMapping, type Ruling } from "../../src/server/stun/judge.ts";
import { EventQueue } from "./event-queue.ts";

const TIME_OUT_MS = 3_000;
const HEDGE_MS = 1_000;
const SECOND_SERVER_EVERY_MS = 300_000;

/** From `at` on, a server that is honest sees `mapping`. */
export interface Truth {
  at: number;
  mapping: Endpoint;
}

export interface WorldOptions {
  servers: string[];
  /** Which of them belong to the same people; absent = each to others. */
  parties?: Record<string, string>;
  truths: readonly Truth[];
  intervalMs: number;
  settleMs: number;
  chance: Chance;
  stored?: Endpoint | null;
  /** What a server says that does not tell the truth. */
  lies?: Record<string, (now: number) => Endpoint>;
  /** Whether a probe of the server that begins now remains without an answer. */
  isLost?: (server: string, now: number) => boolean;
}

export interface Confirmation extends ConfirmedMapping {
  at: number;
}

/** A judge among simulated servers, asked in rounds as the watcher does. */
export class JudgedWorld {
  readonly judge: Judge;
  readonly confirmations: Confirmation[] = [];
  readonly statuses: { at: number; status: string }[] = [];
  probes = 0;
  readonly #options: WorldOptions;
  readonly #events = new EventQueue<() => void>();
  readonly #listeners = new Map<string, ((answered: boolean) => void)[]>();
  #now = 0;
  #wakeAt = Number.POSITIVE_INFINITY;
  #checkedAt = 0;
  #primary = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    const { settleMs, stored = null, servers, parties = {} } = options;
    this.judge = new Judge({ settleMs, stored });
    this.judge.useServers(servers, new Map(Object.entries(parties)));
    this.#events.add(0, () => this.#round(0));
  }

  get now(): number {
    return this.#now;
  }

  truthAt(at: number): Endpoint {
    const found = this.#options.truths.findLast((each) => each.at <= at);
    if (!found) throw new Error("there is no truth yet");
    return found.mapping;
  }

  run(untilMs: number): void {
    const end = { isOver: false };
    this.#events.add(untilMs, () => (end.isOver = true));
    while (!end.isOver) {
      const { at, event } = this.#events.take();
      this.#now = at;
      event();
    }
  }

  #round(number: number): void {
    const { intervalMs, servers, chance } = this.#options;
    const next = (number + 1) * intervalMs - chance() * 0.08 * intervalMs;
    let failed = 0;
    let isOver = false;
    const asked = new Set<string>();
    const goOn = () => this.#events.add(Math.max(next, this.#now), () => this.#round(number + 1));
    const askNext = () => {
      const server = this.#order().find((each) => !asked.has(each));
      if (isOver || server === undefined) return;
      asked.add(server);
      this.#ask(server, (answered) => {
        if (isOver) return;
        if (answered) {
          isOver = true;
          this.#primary = servers.indexOf(server);
          goOn();
        } else if (++failed === servers.length) {
          isOver = true;
          this.#follow(this.judge.failRound(this.#now));
          goOn();
        } else askNext();
      });
      this.#events.add(this.#now + HEDGE_MS, askNext);
    };
    askNext();
    if (this.#now - this.#checkedAt < SECOND_SERVER_EVERY_MS) return;
    this.#checkedAt = this.#now;
    const [first = "", ...rest] = this.#order();
    const { parties = {} } = this.#options;
    const strangers = rest.filter((each) => (parties[each] ?? each) !== (parties[first] ?? first));
    const others = strangers.length > 0 ? strangers : rest;
    const second = others[Math.floor(chance() * others.length)];
    if (second !== undefined) this.#ask(second, () => {});
  }

  #order(): string[] {
    const { servers } = this.#options;
    const turned = [...servers.slice(this.#primary), ...servers.slice(0, this.#primary)];
    return turned.toSorted(
      (a, b) => Number(this.judge.isDoubted(a)) - Number(this.judge.isDoubted(b)),
    );
  }

  #ask(server: string, onEnd: (answered: boolean) => void): void {
    const listeners = this.#listeners.get(server);
    if (listeners) {
      listeners.push(onEnd);
      return;
    }
    this.#listeners.set(server, [onEnd]);
    this.probes++;
    const { chance, isLost, lies } = this.#options;
    const rtt = 5 + chance() * 150;
    if (isLost?.(server, this.#now)) {
      this.#events.add(this.#now + TIME_OUT_MS, () => this.#end(server, undefined));
      return;
    }
    const seenAt = this.#now + rtt / 2;
    const mapped = lies?.[server]?.(seenAt) ?? this.truthAt(seenAt);
    this.#events.add(this.#now + rtt, () => this.#end(server, mapped));
  }

  #end(server: string, mapped: Endpoint | undefined): void {
    const listeners = this.#listeners.get(server) ?? [];
    this.#listeners.delete(server);
    const ruling = mapped
      ? this.judge.observe(server, mapped, this.#now)
      : this.judge.fail(server, this.#now);
    this.#follow(ruling);
    for (const each of listeners) each(mapped !== undefined);
  }

  #follow({ ask, wakeAt, confirmed }: Ruling): void {
    if (confirmed) this.confirmations.push({ ...confirmed, at: this.#now });
    const status = this.judge.status(this.#now);
    if (this.statuses.at(-1)?.status !== status) this.statuses.push({ at: this.#now, status });
    for (const server of ask) this.#ask(server, () => {});
    this.#wakeAt = wakeAt ?? Number.POSITIVE_INFINITY;
    if (wakeAt === null) return;
    const at = Math.max(wakeAt, this.#now);
    this.#events.add(at, () => {
      if (this.#wakeAt <= this.#now) this.#follow(this.judge.wake(this.#now));
    });
  }
}
