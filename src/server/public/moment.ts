/** A state of the fleet. */
export interface Moment {
  version: number;
  at: number;
}

/** Up to this many nodes every answer shows the fleet as it is. */
const ALWAYS_CURRENT_NODES = 500;
/** Beyond that an answer may be older by this much for every `ALWAYS_CURRENT_NODES`. */
const LAG_MS = 5;

/**
 * Whether what was built then may answer a question of now. What is built after the question always
 * may, whatever the clock does.
 */
export function isFresh(built: Moment, asked: Moment, nodes: number): boolean {
  if (built.version >= asked.version) return true;
  if (nodes <= ALWAYS_CURRENT_NODES) return false;
  const age = asked.at - built.at;
  return age >= 0 && age <= (nodes / ALWAYS_CURRENT_NODES) * LAG_MS;
}
