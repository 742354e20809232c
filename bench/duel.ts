import type { Measured } from "./wrk.ts";

export interface Contestant {
  name: string;
  run(seconds: number): Promise<Measured>;
}

export interface DuelResult {
  /** Median over the rounds of ours / theirs. */
  throughput: number;
  /** The same per second of processor time. */
  efficiency: number;
  p99: number;
  ours: Measured;
  theirs: Measured;
}

/**
 * Lets two servers take turns in short slices, so that a noisy machine disturbs both alike, and
 * prints the ratios.
 */
export async function duel(
  title: string,
  ours: Contestant,
  theirs: Contestant,
  rounds = 5,
  seconds = 3,
): Promise<DuelResult> {
  await ours.run(2);
  await theirs.run(2);
  const pairs: { ours: Measured; theirs: Measured }[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({ ours: await ours.run(seconds), theirs: await theirs.run(seconds) });
  }
  const result = {
    throughput: median(pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond)),
    efficiency: median(pairs.map((pair) => pair.ours.perCpuSecond / pair.theirs.perCpuSecond)),
    p99: median(pairs.map((pair) => pair.ours.p99Ms / pair.theirs.p99Ms)),
    ours: medianOf(pairs.map((pair) => pair.ours)),
    theirs: medianOf(pairs.map((pair) => pair.theirs)),
  };
  print(title, ours, theirs, result);
  return result;
}

function print(title: string, ours: Contestant, theirs: Contestant, result: DuelResult): void {
  console.log(title);
  console.log(line(ours.name, result.ours));
  console.log(line(theirs.name, result.theirs));
  const { throughput, efficiency, p99 } = result;
  console.log(
    `  ratio ${throughput.toFixed(2)}, per CPU-second ${efficiency.toFixed(2)}, p99 ratio ${p99.toFixed(2)}\n`,
  );
}

function line(name: string, { perSecond, p50Ms, p99Ms, errors }: Measured): string {
  const rate = `${perSecond.toFixed(0).padStart(8)}/s`;
  const times = `p50 ${p50Ms.toFixed(2)} ms  p99 ${p99Ms.toFixed(2)} ms`;
  return `  ${name.padEnd(34)} ${rate}  ${times}  errors ${errors}`;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function medianOf(all: Measured[]): Measured {
  return {
    perSecond: median(all.map((each) => each.perSecond)),
    perCpuSecond: median(all.map((each) => each.perCpuSecond)),
    p50Ms: median(all.map((each) => each.p50Ms)),
    p99Ms: median(all.map((each) => each.p99Ms)),
    errors: all.reduce((sum, each) => sum + each.errors, 0),
  };
}
