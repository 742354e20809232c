import type { Counter, Counters } from "./counters.ts";
import type { OverlayCli } from "./overlay-cli.ts";
import {
  byInstance,
  countForeignPeers,
  countPeers,
  toCounters,
  toInstance,
  type Instance,
} from "./overlay-output.ts";
import { SourceError, type Source } from "./source.ts";

const ATTEMPTS = 3;

/** What the overlay counts itself, as its command line program tells it. */
export class OverlaySource implements Source {
  readonly name = "overlay";
  readonly bits = 64;
  readonly #cli: Pick<OverlayCli, "ask">;
  #version: string | undefined;

  constructor(cli: Pick<OverlayCli, "ask">) {
    this.#cli = cli;
  }

  get version(): string | undefined {
    return this.#version;
  }

  /** Its counters stand at zero when it starts, and it has another peer id then. */
  async readCounters(): Promise<Counters> {
    let before = await this.#instances();
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const results = byInstance(await this.#cli.ask("stats", "show"));
      const after = await this.#instances();
      // Otherwise it has begun again in between, and it is unknown whose numbers these are.
      if (isSame(before, after) && areOf(after, results)) return merge(results, after);
      before = after;
    }
    throw new SourceError("The overlay starts again and again");
  }

  /** Peers of its own networks, and of those that it helps. */
  async countConnections(): Promise<number> {
    const own = byInstance(await this.#cli.ask("-v", "peer"));
    const foreign = byInstance(await this.#cli.ask("peer", "list-foreign"));
    return sum(own, countPeers) + sum(foreign, countForeignPeers);
  }

  async #instances(): Promise<Map<string, Instance>> {
    const found = byInstance(await this.#cli.ask("node", "info"));
    const instances = new Map([...found].map(([id, result]) => [id, toInstance(result)]));
    this.#version = [...instances.values()][0]?.version;
    return instances;
  }
}

type Instances = ReadonlyMap<string, Instance>;

function isSame(one: Instances, other: Instances): boolean {
  if (one.size !== other.size) return false;
  return [...other].every(([id, { peerId }]) => one.get(id)?.peerId === peerId);
}

function areOf(instances: Instances, results: ReadonlyMap<string, unknown>): boolean {
  return results.size === instances.size && [...instances.keys()].every((id) => results.has(id));
}

function merge(results: ReadonlyMap<string, unknown>, instances: Instances): Counters {
  const all = new Map<string, Counter>();
  for (const [id, instance] of instances) {
    for (const [name, counter] of toCounters(results.get(id), instance)) all.set(name, counter);
  }
  return all;
}

function sum(results: ReadonlyMap<string, unknown>, count: (result: unknown) => number): number {
  return [...results.values()].reduce<number>((total, result) => total + count(result), 0);
}
