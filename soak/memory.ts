import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "./caller.ts";

const EVERY_MS = 5_000;
/** Of the mean: what the collector leaves lying about from one look to the next. */
const ALLOWED_GROWTH = 0.1;

/** How much memory the service has, as its metrics tell. */
export class Memory {
  readonly #caller: Caller;
  readonly #samples: { at: number; mebibytes: number }[] = [];

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const text = await this.#caller.call<string>("GET", "/metrics");
      const bytes = Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
      this.#samples.push({ at: performance.now(), mebibytes: bytes / 2 ** 20 });
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Growth from the first half of what was seen to the second, as a share; after the warm-up. */
  growth(warmUpMs: number): { share: number; isFlat: boolean; text: string } {
    const begun = (this.#samples[0]?.at ?? 0) + warmUpMs;
    const seen = this.#samples.filter(({ at }) => at >= begun).map((each) => each.mebibytes);
    const middle = Math.floor(seen.length / 2);
    const [before, after] = [mean(seen.slice(0, middle)), mean(seen.slice(middle))];
    const share = after / before - 1;
    const text = `memory ${before.toFixed(0)} MiB, later ${after.toFixed(0)} MiB (${(share * 100).toFixed(1)} %)`;
    return { share, isFlat: share <= ALLOWED_GROWTH, text };
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
