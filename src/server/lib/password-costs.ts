/**
 * Argon2id with 19 MiB, two passes, one lane: the OWASP Password Storage Cheat Sheet's setting for
 * servers, about 10 ms on a core of today.
 */
export const ARGON2_COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * A hash that no password is known for, at the same costs. Comparing with it takes as long as
 * comparing with a real one, so the time of a refused log-in does not tell whether the account
 * exists.
 */
export const DUMMY_HASH =
  `$argon2id$v=19$m=${ARGON2_COSTS.memoryCost},t=${ARGON2_COSTS.timeCost},p=${ARGON2_COSTS.parallelism}` +
  "$fmQ0wxvCFVV4SB8aOHYkjA$0VqJSvSMRDDAbRrd2a3wPSAw2AAHVAZHd6ZWGjAa0Hk";
