import { setTimeout as sleep } from "node:timers/promises";
import { Meter } from "./meter.ts";
import type { RegistryClient } from "./registry-client.ts";
import { useOf, type Seat, type World } from "./world.ts";

export interface CrowdParts {
  registry: RegistryClient;
  /** Filled by those who ask the query. */
  asked: World;
  /** Filled by the same clients, had they picked the top of the public list. */
  sorted: World;
  clientsPerSecond: number;
  stayMs: number;
}

const TICK_MS = 20;
const LIST_AGE_MS = 250;

/** Clients that come at random moments, each to both worlds and for the same time. */
export class Crowd {
  readonly meter = new Meter();
  readonly #parts: CrowdParts;
  /** The public list as it was fetched last, the least used node first. */
  #list: { seat: Seat; use: number }[] = [];

  constructor(parts: CrowdParts) {
    this.#parts = parts;
  }

  /** Until `signal`; rejects when a query is refused. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#fetchList();
    await Promise.all([this.#arrive(signal), this.#refreshList(signal)]);
  }

  async #arrive(signal: AbortSignal): Promise<void> {
    const open = new Set<Promise<void>>();
    let failure: unknown;
    let last = performance.now();
    while (await passes(TICK_MS, signal)) {
      const now = performance.now();
      const expected = (this.#parts.clientsPerSecond * (now - last)) / 1000;
      last = now;
      for (let come = poisson(expected); come > 0; come--) {
        const visit: Promise<void> = this.#visit()
          .catch((error: unknown) => (failure ??= error))
          .then(() => void open.delete(visit));
        open.add(visit);
      }
      if (failure !== undefined) break;
    }
    await Promise.all(open);
    if (failure !== undefined) throw failure as Error;
  }

  async #visit(): Promise<void> {
    const { registry, asked, sorted, stayMs } = this.#parts;
    const region = wish();
    const stay = -Math.log(1 - Math.random()) * stayMs;
    const top = this.#list.find(({ seat }) => region === "all" || seat.region === region);
    if (top) sorted.join(top.seat.id, stay);
    const { nodes } = await registry.request<{ nodes: { id: number }[] }>("POST", "/api/query", {
      region,
    });
    const [first] = nodes;
    if (first) asked.join(first.id, stay);
    this.meter.count();
  }

  async #refreshList(signal: AbortSignal): Promise<void> {
    while (await passes(LIST_AGE_MS, signal)) await this.#fetchList();
  }

  /**
   * Which nodes are there is what the service says; how used they are is what they would have
   * reported in the other world.
   */
  async #fetchList(): Promise<void> {
    const { registry, sorted } = this.#parts;
    const { nodes } = await registry.request<{ nodes: { id: number; status: string }[] }>(
      "GET",
      "/api/public",
    );
    this.#list = nodes
      .filter((node) => node.status === "online")
      .map(({ id }) => sorted.seat(id))
      .map((seat) => ({ seat, use: useOf({ ...seat, clients: seat.reported }) }))
      .sort((a, b) => a.use - b.use);
  }
}

/** @returns false when `signal` came first */
async function passes(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

/** Most clients take any node. */
function wish(): string {
  const chance = Math.random();
  return chance < 0.6 ? "all" : chance < 0.85 ? "domestic" : "overseas";
}

/** How many of something that happens at random moments, when `mean` are expected (Knuth). */
function poisson(mean: number): number {
  const limit = Math.exp(-mean);
  let count = -1;
  for (let product = 1; product > limit; product *= Math.random()) count++;
  return Math.max(count, 0);
}
