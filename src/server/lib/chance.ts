/** A source of numbers, evenly spread over `0 <= x < 1`; injected so that tests can seed it. */
export type Chance = () => number;

export const systemChance: Chance = Math.random;
