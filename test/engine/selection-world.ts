import type { Chance } from "../../src/server/lib/chance.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { nodeRecord, reportAt } from "../support/fleet-nodes.ts";
import type { NodeRecord } from "../../src/server/nodes/node.ts";
import { EventQueue } from "../support/event-queue.ts";
import { exponential, normal, seededChance } from "../support/seeded-chance.ts";
import type { Picker, PickerMaker } from "./selection-rules.ts";
import type { Outcome, Scenario } from "./selection-scenarios.ts";

const NODES = 50;
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY_START = Date.UTC(2026, 0, 15);
/** For what does not limit a node. */
const AMPLE = 10;
const WARM_UP_MS = 2 * HOUR;
const MEASURED_MS = 3 * HOUR;
const SAMPLE_MS = 60 * SECOND;
/** A client tries the first, second, third node of its answer with these chances. */
const FIRST = 0.7;
const SECOND_OR_FIRST = 0.9;

type Event =
  | { kind: "arrival" | "death" | "sample" }
  | { kind: "report" | "revival"; node: number }
  | { kind: "departure"; node: number; life: number; demand: number };

/** Runs a scenario for two hours of warm-up and three of measuring. */
export function simulate(scenario: Scenario, seed: number, rule: PickerMaker): Outcome {
  return new World(scenario, seed, rule).run();
}

/** Nodes with clients, who ask the query where to go. */
class World {
  readonly #scenario: Scenario;
  readonly #chance: Chance;
  readonly #fleets: Fleet[] = [];
  readonly #pickers: Picker[] = [];
  readonly #capacity: number[] = [];
  readonly #clients = perNode(0);
  /** What the clients of each node want together: Mbit/s, or GB an hour. */
  readonly #demand = perNode(0);
  /** GB since the start, and as of when. */
  readonly #traffic = perNode(0);
  readonly #trafficAt = perNode(DAY_START);
  /** Counts a node's deaths, so that the clients of an earlier life do not leave twice. */
  readonly #life = perNode(0);
  readonly #alive = perNode(true);
  readonly #events = new EventQueue<Event>();
  readonly #arrivalGapMs: number;
  #now = DAY_START;
  #joins = 0;
  #overfull = 0;
  #samples = 0;
  #variation = 0;
  #maximum = 0;

  constructor(scenario: Scenario, seed: number, rule: PickerMaker) {
    this.#scenario = scenario;
    this.#chance = seededChance(seed);
    for (let node = 0; node < NODES; node++) {
      const capacity = Math.exp(Math.log(Math.sqrt(20 * 1000)) + normal(this.#chance));
      this.#capacity.push(Math.round(Math.min(1000, Math.max(20, capacity))));
    }
    for (let at = 0; at < scenario.instances; at++) {
      const fleet = new Fleet();
      for (let node = 0; node < NODES; node++) {
        fleet.put(nodeRecord(node + 1, { createdAt: DAY_START, ...this.#limits(node) }), DAY_START);
      }
      this.#fleets.push(fleet);
      this.#pickers.push(rule(fleet, seededChance(seed * 1000 + at), scenario));
    }
    const total = this.#capacity.reduce((sum, each) => sum + each, 0);
    this.#arrivalGapMs = scenario.meanStayMs / (scenario.load * total);
  }

  run(): Outcome {
    const start = this.#now;
    const measureFrom = start + WARM_UP_MS;
    this.#populate();
    this.#events.add(start, { kind: "arrival" });
    this.#events.add(measureFrom, { kind: "sample" });
    const { deathEveryMs } = this.#scenario;
    if (deathEveryMs > 0) this.#events.add(start + deathEveryMs, { kind: "death" });
    for (;;) {
      const { at, event } = this.#events.take();
      if (at > measureFrom + MEASURED_MS) break;
      this.#now = at;
      if (at < measureFrom) this.#joins = this.#overfull = 0;
      this.#happen(event);
    }
    return {
      variation: this.#variation / this.#samples,
      maximum: this.#maximum / this.#samples,
      overfull: this.#overfull / this.#joins,
    };
  }

  #happen(event: Event): void {
    switch (event.kind) {
      case "arrival":
        this.#events.add(this.#now + exponential(this.#arrivalGapMs, this.#chance), event);
        this.#arrive();
        break;
      case "departure":
        if (event.life === this.#life[event.node]) this.#change(event.node, -1, event.demand);
        break;
      case "report":
        this.#events.add(this.#now + this.#scenario.reportIntervalMs, event);
        if (this.#alive[event.node]) this.#report(event.node);
        break;
      case "death":
        this.#events.add(this.#now + this.#scenario.deathEveryMs, event);
        this.#die(Math.floor(this.#chance() * NODES));
        break;
      case "revival":
        this.#alive[event.node] = true;
        this.#report(event.node);
        break;
      case "sample":
        this.#events.add(this.#now + SAMPLE_MS, event);
        this.#sample();
    }
  }

  /** Begins with every node as full as the scenario's load says. */
  #populate(): void {
    for (const [node, capacity] of this.#capacity.entries()) {
      const clients = Math.round(capacity * this.#scenario.load);
      for (let count = 0; count < clients; count++) this.#join(node);
      this.#report(node);
      const phase = this.#chance() * this.#scenario.reportIntervalMs;
      this.#events.add(this.#now + phase, { kind: "report", node });
    }
  }

  #arrive(): void {
    if (this.#chance() < this.#scenario.bypass) {
      this.#join(this.#nodeByCapacity());
      return;
    }
    // A client that does not use its answer is replaced by one that does: arrivals are joins.
    while (this.#chance() >= this.#scenario.pickUp) this.#ask();
    const answer = this.#ask();
    const luck = this.#chance();
    const preferred = luck < FIRST ? 0 : luck < SECOND_OR_FIRST ? 1 : 2;
    const order = [answer[preferred] ?? answer[0], ...answer];
    const node = order.find((slot) => slot !== undefined && this.#alive[slot]);
    if (node !== undefined) this.#join(node);
  }

  #ask(): number[] {
    const instance = Math.floor(this.#chance() * this.#pickers.length);
    return (this.#pickers[instance] as Picker)(this.#now);
  }

  #join(node: number): void {
    const demand = this.#scenario.resource === "connections" ? 1 : unlikeDemand(this.#chance);
    this.#change(node, 1, demand);
    this.#joins++;
    if (this.#utilisation(node) > 1) this.#overfull++;
    const life = this.#life[node] as number;
    const leavesAt = this.#now + this.#scenario.stay(this.#chance);
    this.#events.add(leavesAt, { kind: "departure", node, life, demand });
  }

  #die(node: number): void {
    if (!this.#alive[node]) return;
    const { outageMs, outageSeen } = this.#scenario;
    const stranded = this.#clients[node] as number;
    this.#alive[node] = false;
    this.#life[node] = (this.#life[node] as number) + 1;
    if (stranded > 0) this.#change(node, -stranded, (this.#demand[node] as number) / stranded);
    if (outageSeen) for (const fleet of this.#fleets) fleet.silence(node);
    this.#events.add(this.#now + outageMs, { kind: "revival", node });
    for (let count = 0; count < stranded; count++) this.#arrive();
  }

  #report(node: number): void {
    const lies = node < this.#scenario.liars;
    this.#change(node, 0, 0);
    const report = reportAt(this.#now, {
      connections: lies ? 0 : (this.#clients[node] as number),
      bandwidth:
        lies || this.#scenario.resource === "connections" ? 0 : (this.#demand[node] as number),
      usedHigh: this.#scenario.resource === "traffic" ? (this.#traffic[node] as number) : 0,
      intervalMs: this.#scenario.reportIntervalMs,
    });
    for (const fleet of this.#fleets) fleet.applyReport(node, report);
  }

  #sample(): void {
    let count = 0;
    let sum = 0;
    let squares = 0;
    let largest = 0;
    for (let node = 0; node < NODES; node++) {
      if (!this.#alive[node]) continue;
      const use = this.#utilisation(node);
      count++;
      sum += use;
      squares += use * use;
      largest = Math.max(largest, use);
    }
    const mean = sum / count;
    this.#samples++;
    this.#variation += Math.sqrt(Math.max(0, squares / count - mean * mean)) / mean;
    this.#maximum += largest;
  }

  #nodeByCapacity(): number {
    const living = this.#capacity.map((capacity, node) => (this.#alive[node] ? capacity : 0));
    let rest = this.#chance() * living.reduce((sum, each) => sum + each, 0);
    return Math.max(
      0,
      living.findIndex((capacity) => (rest -= capacity) < 0),
    );
  }

  /** Adds clients that want `demand` each; negative counts take away. */
  #change(node: number, clients: number, demand: number): void {
    const hours = (this.#now - (this.#trafficAt[node] as number)) / HOUR;
    this.#traffic[node] = (this.#traffic[node] as number) + (this.#demand[node] as number) * hours;
    this.#trafficAt[node] = this.#now;
    this.#clients[node] = (this.#clients[node] as number) + clients;
    this.#demand[node] = Math.max(0, (this.#demand[node] as number) + clients * demand);
  }

  #limits(node: number): Partial<NodeRecord> {
    const capacity = this.#capacity[node] as number;
    const { resource } = this.#scenario;
    if (resource === "connections") return { maxConnections: capacity };
    if (resource === "bandwidth") return { maxConnections: 0, tierBandwidth: capacity };
    if (resource === "traffic") return { maxConnections: 0, maxTraffic: capacity * 24 * 30 };
    return node % 2 === 0
      ? { maxConnections: capacity, tierBandwidth: capacity * AMPLE }
      : { maxConnections: capacity * AMPLE, tierBandwidth: capacity };
  }

  #utilisation(node: number): number {
    const capacity = this.#capacity[node] as number;
    const byClients =
      this.#scenario.resource === "mixed"
        ? node % 2 === 0
        : this.#scenario.resource === "connections";
    if (byClients) return (this.#clients[node] as number) / capacity;
    if (this.#scenario.resource !== "traffic") return (this.#demand[node] as number) / capacity;
    this.#change(node, 0, 0);
    return (this.#traffic[node] as number) / (capacity * ((this.#now - DAY_START) / HOUR));
  }
}

function perNode<V>(value: V): V[] {
  return Array.from({ length: NODES }, () => value);
}

/** Lognormal with mean 1. */
function unlikeDemand(chance: Chance): number {
  const spread = 0.7;
  return Math.exp(spread * normal(chance) - spread ** 2 / 2);
}
