/** In both directions, as seen from this node. */
export interface Bytes {
  in: bigint;
  out: bigint;
}

/** What a counter showed when it was read. */
export interface Counter extends Bytes {
  /** Names the time since it stood at zero; another life means that it began again. */
  life: string;
}

/** By name. One that is missing has been taken away, and would begin again at zero. */
export type Counters = ReadonlyMap<string, Counter>;

/** At which it goes back to zero by itself. */
export type CounterBits = 32 | 64;

/**
 * What has passed between two readings of the same source. All that a counter shows is new when it
 * was not there before or has begun another life.
 */
export function bytesBetween(before: Counters, now: Counters, bits: CounterBits): Bytes {
  const sum = { in: 0n, out: 0n };
  for (const [name, counter] of now) {
    const known = before.get(name);
    const earlier = known?.life === counter.life ? known : { in: 0n, out: 0n };
    sum.in += difference(earlier.in, counter.in, bits);
    sum.out += difference(earlier.out, counter.out, bits);
  }
  return sum;
}

/** A 64-bit counter does not wrap in the life of a machine: when it shows less, it was reset. */
function difference(before: bigint, now: bigint, bits: CounterBits): bigint {
  if (now >= before) return now - before;
  const range = 1n << 32n;
  return bits === 32 && before < range ? range - before + now : now;
}
