import pg from "pg";

const INT8 = 20;

/** Our integers are ids, times and flags: all below 2^53. Holds for the thread that calls it. */
export function readIntegersAsNumbers(): void {
  pg.types.setTypeParser(INT8, Number);
}
