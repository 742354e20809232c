const ROUNDS = 64;
const SETTLED = 1e-9;

/**
 * The level μ to which `arrivals` new clients fill the nodes when they go where there is most
 * room: Σ max(0, μ·capacity − load) = arrivals over the first `count` entries. A capacity of 0
 * keeps a node out. Without any node it is 0.
 *
 * Newton's method on a convex function: from a level too low the first step goes past the root,
 * from there each step comes down to it, and it is exact once the set of nodes below the level
 * stays the same. `guess` only saves steps.
 */
export function waterLevel(
  capacities: Float64Array,
  loads: Float64Array,
  count: number,
  arrivals: number,
  guess: number,
): number {
  let level = stepFrom(guess, capacities, loads, count, arrivals);
  // Nobody lies below the guess: the level at which everybody would is never too low.
  if (level === 0) level = stepFrom(Number.POSITIVE_INFINITY, capacities, loads, count, arrivals);
  for (let round = 0; round < ROUNDS && level > 0; round++) {
    const next = stepFrom(level, capacities, loads, count, arrivals);
    if (next === 0 || next >= level * (1 - SETTLED)) return level;
    level = next;
  }
  return level;
}

/** The level that holds the arrivals if exactly the nodes below `level` take them; 0 if none is. */
function stepFrom(
  level: number,
  capacities: Float64Array,
  loads: Float64Array,
  count: number,
  arrivals: number,
): number {
  let capacitySum = 0;
  let loadSum = 0;
  for (let at = 0; at < count; at++) {
    const capacity = capacities[at] as number;
    const load = loads[at] as number;
    // Not an if: near the level it would be guessed wrong for every other node.
    const below = Number(level * capacity > load);
    capacitySum += below * capacity;
    loadSum += below * load;
  }
  return capacitySum === 0 ? 0 : (arrivals + loadSum) / capacitySum;
}
