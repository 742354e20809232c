import type { Logger } from "../lib/logger.ts";
import { HoleError, type Hole, type HoleEvents } from "./hole.ts";
import type { StunRule } from "./rule.ts";
import type { Timekeeper, TimerWheel, WheelTimer } from "./timer-wheel.ts";

/** What a hole is made of. */
export type HolePlan = Pick<
  StunRule,
  "transport" | "localAddress" | "localPort" | "keepaliveHosts"
>;
export type HoleFactory = (plan: HolePlan, events: HoleEvents) => Hole;

export interface HoleKeeperParts {
  wheel: TimerWheel;
  time: Timekeeper;
  logger: Logger;
  createHole: HoleFactory;
}

export interface HoleKeeperEvents {
  onOpen(): void;
  /** What holds the mapping was replaced. */
  onRenewed(): void;
  /** Another error than before, or none any more. */
  onChanged(): void;
}

const REOPEN_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** Opens the hole of a rule, and again when it breaks, until it is stopped. */
export class HoleKeeper {
  #rule: StunRule;
  readonly #parts: HoleKeeperParts;
  readonly #events: HoleKeeperEvents;
  /** The port that a rule with port 0 has, once it has one. */
  #pickedPort: number | null;
  #hole: Hole | undefined;
  #isOpen = false;
  #isStopped = false;
  #error: string | null = null;
  #unheld: string | null = null;
  #failures = 0;
  #timer: WheelTimer | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(
    rule: StunRule,
    pickedPort: number | null,
    parts: HoleKeeperParts,
    events: HoleKeeperEvents,
  ) {
    this.#rule = rule;
    this.#parts = parts;
    this.#events = events;
    this.#pickedPort = rule.localPort === 0 ? pickedPort : null;
  }

  get hole(): Hole | undefined {
    return this.#isOpen ? this.#hole : undefined;
  }

  get pickedPort(): number | null {
    return this.#pickedPort;
  }

  /** Why there is no hole. */
  get error(): string | null {
    return this.#error;
  }

  /** Why nothing holds the mapping (TCP). */
  get unheld(): string | null {
    return this.#unheld;
  }

  start(delayMs: number): void {
    this.#openIn(delayMs);
  }

  /** Takes over what needs no other hole. */
  adopt(rule: StunRule): void {
    const isSame = JSON.stringify(rule.forwardTo) === JSON.stringify(this.#rule.forwardTo);
    this.#rule = rule;
    if (!isSame) this.hole?.forward(rule.forwardTo);
  }

  /** It works: the next failure is the first one again. */
  proved(): void {
    this.#failures = 0;
  }

  /** Leaves no socket and no timer. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#parts.wheel.cancel(this.#timer);
    await this.#close();
    await this.#work;
  }

  #openIn(delayMs: number): void {
    const { wheel, time } = this.#parts;
    wheel.cancel(this.#timer);
    this.#timer = wheel.at(time.now() + delayMs, () => {
      this.#work = this.#open().catch((error: unknown) => this.#failed(error));
    });
  }

  async #open(): Promise<void> {
    const rule = this.#rule;
    const hole = this.#parts.createHole(
      { ...rule, localPort: this.#pickedPort ?? rule.localPort },
      {
        lost: (reason) => this.#lose(hole, reason),
        renewed: () => this.#renew(hole),
        unheld: (reason) => this.#noteUnheld(hole, reason),
      },
    );
    this.#hole = hole;
    await hole.open();
    if (this.#isStopped || this.#hole !== hole) {
      await hole.close();
      return;
    }
    if (rule.localPort === 0) this.#pickedPort = hole.local.port;
    hole.forward(rule.forwardTo);
    this.#isOpen = true;
    this.#error = null;
    this.#events.onOpen();
  }

  #failed(error: unknown): void {
    const isKnown = error instanceof HoleError;
    if (!isKnown) {
      this.#parts.logger.error({ err: error, rule: this.#rule.name }, "a hole could not be opened");
    }
    this.#lose(this.#hole, isKnown ? error.message : "The hole could not be opened");
  }

  #lose(hole: Hole | undefined, reason: string): void {
    if (this.#isStopped || this.#hole !== hole) return;
    this.#error = reason;
    this.#work = this.#close().catch((error: unknown) => {
      this.#parts.logger.error({ err: error, rule: this.#rule.name }, "a hole could not be closed");
    });
    this.#openIn(REOPEN_MS[Math.min(this.#failures++, REOPEN_MS.length - 1)] as number);
    this.#events.onChanged();
  }

  #renew(hole: Hole): void {
    if (this.#hole !== hole || !this.#isOpen) return;
    this.#unheld = null;
    this.#events.onRenewed();
  }

  #noteUnheld(hole: Hole, reason: string): void {
    if (this.#hole !== hole) return;
    this.#unheld = reason;
    this.#events.onChanged();
  }

  async #close(): Promise<void> {
    const hole = this.#hole;
    this.#hole = undefined;
    this.#isOpen = false;
    this.#unheld = null;
    await hole?.close();
  }
}
