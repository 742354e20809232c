import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "./caller.ts";

const EVERY_MS = 5_000;
/** Of the mean: what the collector leaves lying about from one look to the next. */
const ALLOWED_GROWTH = 0.06;

/** In MiB. */
interface Sample {
  at: number;
  /** All that the process holds. */
  resident: number;
  /** Objects, those that nobody needs any more among them. */
  heap: number;
  /** Buffers. */
  external: number;
}

/** How much memory the service has, as its metrics tell. */
export class Memory {
  readonly #caller: Caller;
  readonly #samples: Sample[] = [];

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const text = await this.#caller.call<string>("GET", "/metrics");
      this.#samples.push({
        at: performance.now(),
        resident: mebibytesIn(text, "process_resident_memory_bytes"),
        heap: mebibytesIn(text, "nodejs_heap_size_used_bytes"),
        external: mebibytesIn(text, "nodejs_external_memory_bytes"),
      });
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Growth from the first half of what was seen to the second; after the warm-up. */
  growth(warmUpMs: number): { isFlat: boolean; text: string } {
    const begun = (this.#samples[0]?.at ?? 0) + warmUpMs;
    const seen = this.#samples.filter(({ at }) => at >= begun);
    const middle = Math.floor(seen.length / 2);
    const [before, after] = [mean(seen.slice(0, middle)), mean(seen.slice(middle))];
    const share = after.resident / before.resident - 1;
    const text = `memory ${inWords(before)}; later ${inWords(after)} (${(share * 100).toFixed(1)} %)`;
    return { isFlat: share <= ALLOWED_GROWTH, text };
  }
}

function mebibytesIn(metrics: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)`, "m").exec(metrics)?.[1];
  if (value === undefined) throw new Error(`There is no metric ${name}`);
  return Number(value) / 2 ** 20;
}

type Amounts = Omit<Sample, "at">;

function mean(samples: readonly Sample[]): Amounts {
  const of = (part: keyof Amounts) =>
    samples.reduce((sum, sample) => sum + sample[part], 0) / samples.length;
  return { resident: of("resident"), heap: of("heap"), external: of("external") };
}

function inWords({ resident, heap, external }: Amounts): string {
  return `${resident.toFixed(0)} MiB, ${heap.toFixed(0)} of objects, ${external.toFixed(0)} of buffers`;
}
