import type { QueryPriority } from "../../shared/api/query.ts";
import type { FleetColumns } from "../nodes/fleet-columns.ts";
import type { Survey } from "./survey.ts";
import { budgetToday, usedToday } from "./traffic-budget.ts";

/** A node that reports fewer than this part of the clients we have sent … */
const UNDERSTATED = 0.8;
/** … and fewer by so many standard deviations, is not believed. */
const BEYOND_CHANCE = 3;
/** What it then counts as, over what we have sent. */
const SURCHARGE = 1.1;
/** A client takes at least this part of the typical bandwidth and traffic, whatever is reported. */
const LEAST_USE = 0.5;

/** What readings are taken against: the fleet as it is now. */
export interface GaugeSetting {
  columns: FleetColumns;
  survey: Survey;
  /** Of HandedOut. */
  clientFactor: number;
  stayMs: number;
  now: number;
  /** As by `dayOf`. */
  today: number;
}

/**
 * Reads a node's capacity and load, both in clients, so that the three resources compare. The load
 * is what was reported, less what has left since, plus what was handed out since. A node that
 * reports far less than we have sent it counts as what we have sent.
 */
export class Gauge {
  capacity = 0;
  load = 0;
  readonly #priority: QueryPriority | null;
  #staying = 1;
  #pending = 0;
  #clients = 0;
  #leastLoad = 0;

  constructor(priority: QueryPriority | null) {
    this.#priority = priority;
  }

  read(slot: number, setting: GaugeSetting): void {
    this.#estimateClients(slot, setting);
    switch (this.#priority) {
      case "latency":
        this.#readConnections(slot, setting);
        break;
      case "bandwidth":
        this.#readBandwidth(slot, setting);
        break;
      case "traffic":
        this.#readTraffic(slot, setting);
        break;
      case null:
        this.#readTightest(slot, setting);
    }
  }

  #estimateClients(slot: number, { columns: c, clientFactor, stayMs, now }: GaugeSetting): void {
    this.#staying = fading((now - (c.reportedAt[slot] as number)) / stayMs);
    this.#pending = (c.pending[slot] as number) * clientFactor;
    const own = (c.own[slot] as number) * clientFactor;
    const clients = (c.connections[slot] as number) * this.#staying + this.#pending;
    if (clients < own * UNDERSTATED && own - clients > BEYOND_CHANCE * Math.sqrt(own)) {
      this.#clients = this.#leastLoad = own * SURCHARGE;
    } else {
      this.#clients = clients;
      this.#leastLoad = clients * LEAST_USE;
    }
  }

  #readConnections(slot: number, { columns: c, survey }: GaugeSetting): void {
    this.capacity = (c.maxConnections[slot] as number) || survey.connections.capacity;
    this.load = this.#clients;
  }

  #readBandwidth(slot: number, { columns: c, survey }: GaugeSetting): void {
    const { capacity, perClient } = survey.bandwidth;
    const reported = ((c.bandwidth[slot] as number) / perClient) * this.#staying;
    this.capacity = ((c.tierBandwidth[slot] as number) || capacity) / perClient;
    this.load = Math.max(reported + this.#pending, this.#leastLoad);
  }

  #readTraffic(slot: number, { columns: c, survey, today }: GaugeSetting): void {
    const { capacity, perClient } = survey.traffic;
    const reported = usedToday(c, slot, today) / perClient;
    this.capacity = (budgetToday(c, slot, today) || capacity) / perClient;
    this.load = Math.max(reported + this.#pending, this.#leastLoad);
  }

  /** Of the resources that are limited, the one that lets the fewest more clients in. */
  #readTightest(slot: number, setting: GaugeSetting): void {
    const { columns: c } = setting;
    this.#readConnections(slot, setting);
    let { capacity, load } = this;
    let free = c.maxConnections[slot] === 0 ? Number.POSITIVE_INFINITY : capacity - load;
    if (c.tierBandwidth[slot] !== 0) {
      this.#readBandwidth(slot, setting);
      if (this.capacity - this.load < free) ({ capacity, load } = this);
      free = Math.min(free, this.capacity - this.load);
    }
    if (c.maxTraffic[slot] !== 0) {
      this.#readTraffic(slot, setting);
      if (this.capacity - this.load < free) ({ capacity, load } = this);
    }
    this.capacity = capacity;
    this.load = load;
  }
}

/** e^(−x) within some percent where it matters, at a fraction of the cost. */
function fading(x: number): number {
  return x < 2 ? (2 - x) / (2 + x) : 0;
}
