import type { Clock } from "../../src/server/lib/clock.ts";

/** Time that moves when the test says so. */
export class ManualClock implements Clock {
  #now: number;

  constructor(start: string | number = "2026-03-10T12:00:00.000Z") {
    this.#now = typeof start === "number" ? start : Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  set(at: string): void {
    this.#now = Date.parse(at);
  }
}
