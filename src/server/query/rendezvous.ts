import { hash } from "node:crypto";

/** What of a name decides where it belongs; the name cannot be read from it. */
export interface NameKey {
  readonly high: number;
  readonly low: number;
  /** Both in one number, to find the name again by. */
  readonly id: number;
}

/** The same on every instance, whatever its fleet looks like in memory. */
export function nameKeyOf(name: string): NameKey {
  const digest = hash("sha256", name, "buffer");
  const high = digest.readInt32LE(0);
  const low = digest.readInt32LE(4);
  return { high, low, id: (high >>> 0) * 2 ** 21 + (low >>> 11) };
}

/** 32 bits of a node's id that look like chance. */
export function hashOfId(id: number): number {
  return mixed(mixed((id % 2 ** 32) | 0) ^ Math.floor(id / 2 ** 32));
}

/**
 * A number in (0, 1) for a name and a node (or a group of nodes), like chance over the names and
 * over the nodes.
 */
export function lot({ high, low }: NameKey, hashed: number): number {
  return ((mixed(mixed(hashed ^ low) ^ high) >>> 0) + 0.5) / 2 ** 32;
}

/**
 * How far a node of that weight is from the name: the nearest one has it. Each node is the nearest
 * with a chance in proportion to its weight, and one that goes leaves only its own names to others
 * (Thaler and Ravishankar, "Using name-based mappings to increase hit rates", 1998; with weights as
 * in Efraimidis and Spirakis, 2006).
 */
export function distance(drawn: number, weight: number): number {
  return -Math.log(drawn) / weight;
}

/** The finalizer of MurmurHash3. */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
