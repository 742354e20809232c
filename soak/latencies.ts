/** What callers waited for, by endpoint, in milliseconds. */
export class Latencies {
  readonly #all = new Map<string, number[]>();
  /** What was not answered as it should be, the first of each kind in words. */
  readonly #failures = new Map<string, { count: number; first: string }>();

  /** Measures one call. @returns what it answers; undefined when it failed, which is noted */
  async measure<Result>(name: string, call: () => Promise<Result>): Promise<Result | undefined> {
    const startedAt = performance.now();
    try {
      const result = await call();
      const times = this.#all.get(name) ?? [];
      this.#all.set(name, times);
      times.push(performance.now() - startedAt);
      return result;
    } catch (error) {
      this.fail(name, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  fail(name: string, why: string): void {
    const known = this.#failures.get(name) ?? { count: 0, first: why };
    known.count++;
    this.#failures.set(name, known);
  }

  get failures(): string[] {
    return [...this.#failures].map(
      ([name, { count, first }]) => `${name} failed ${count} times, first: ${first}`,
    );
  }

  countOf(name: string): number {
    return this.#all.get(name)?.length ?? 0;
  }

  describe(): string[] {
    return [...this.#all].map(([name, times]) => {
      const sorted = Float64Array.from(times).toSorted();
      const at = (share: number) =>
        (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
      return `${name}: ${times.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
    });
  }
}
