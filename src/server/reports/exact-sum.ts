/**
 * A sum kept as two doubles whose exact total is `high + low`: a million additions of 0.1 lose
 * nothing that a double could show. (Knuth's two-sum; Dekker, "A floating-point technique for
 * extending the available precision", 1971.)
 */
export interface ExactSum {
  high: number;
  low: number;
}

export function addExactly(sum: ExactSum, term: number): ExactSum {
  const high = sum.high + term;
  const carried = high - sum.high;
  const low = sum.low + (sum.high - (high - carried)) + (term - carried);
  const total = high + low;
  return { high: total, low: low - (total - high) };
}

const BYTES_PER_GB = 1e9;
const EXACT_TO_A_BYTE = 9e6;

/** A sum in GB as people read it: to the byte, as far as a double can show bytes. */
export function toShownGb(gb: number): number {
  return gb < EXACT_TO_A_BYTE ? Math.round(gb * BYTES_PER_GB) / BYTES_PER_GB : gb;
}
