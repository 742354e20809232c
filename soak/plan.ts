/** How much is asked of the service, and for how long. */
export interface SoakPlan {
  seconds: number;
  /** Not measured: until caches are full and the heap has its size. */
  warmUpSeconds: number;
  nodes: number;
  reportIntervalSeconds: number;
  queriesPerSecond: number;
  checksPerSecond: number;
  udpRules: number;
  tcpRules: number;
  probeIntervalSeconds: number;
  tasksPerRule: number;
  /** How often a part of the UDP rules loses its mappings. */
  moveEverySeconds: number;
  /** Each so-manieth move gives the router another address instead, which moves all rules. */
  addressEvery: number;
}

/** No rule changes more than four times in ten minutes, or it would be held to be unstable. */
export const wholePlan: SoakPlan = {
  seconds: 1_800,
  warmUpSeconds: 300,
  nodes: 10_000,
  reportIntervalSeconds: 60,
  queriesPerSecond: 200,
  checksPerSecond: 50,
  udpRules: 150,
  tcpRules: 50,
  probeIntervalSeconds: 5,
  tasksPerRule: 5,
  moveEverySeconds: 60,
  addressEvery: 10,
};

/** The same things in a small measure, for the normal tests. */
export const shortPlan: SoakPlan = {
  seconds: 120,
  warmUpSeconds: 40,
  nodes: 600,
  reportIntervalSeconds: 20,
  queriesPerSecond: 20,
  checksPerSecond: 5,
  udpRules: 16,
  tcpRules: 4,
  probeIntervalSeconds: 2,
  tasksPerRule: 5,
  moveEverySeconds: 20,
  addressEvery: 3,
};
