import { setTimeout as sleep } from "node:timers/promises";
import { Meter } from "./meter.ts";
import type { CreatedNode, RegistryClient } from "./registry-client.ts";
import type { World } from "./world.ts";

export interface ReporterParts {
  registry: RegistryClient;
  nodes: readonly CreatedNode[];
  email: string;
  /** Whose clients the nodes report. */
  world: World;
  /** Reports at the same moments, to nobody: what its list will show. */
  shadow: World;
  intervalMs: number;
  /** How much faster than ours the clock of the service runs. */
  speed: number;
}

/** The nodes, each reporting at its own moments. */
export class Reporters {
  readonly meter = new Meter();
  readonly #parts: ReporterParts;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
  }

  /** Until `signal`; rejects when a report is refused. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#parts.nodes.map((node) => this.#report(node, signal)));
  }

  async #report(node: CreatedNode, signal: AbortSignal): Promise<void> {
    const { intervalMs } = this.#parts;
    let waitMs = Math.random() * intervalMs;
    for (;;) {
      try {
        await sleep(waitMs, undefined, { signal });
      } catch {
        return;
      }
      const startedAt = performance.now();
      await this.#send(node);
      waitMs = Math.max(0, intervalMs - (performance.now() - startedAt));
    }
  }

  async #send({ plan, id, token }: CreatedNode): Promise<void> {
    const { registry, world, shadow, email, intervalMs, speed } = this.#parts;
    const seat = world.seat(id);
    const other = shadow.seat(id);
    seat.reported = seat.clients;
    other.reported = other.clients;
    const seconds = (intervalMs * speed) / 1000;
    const bandwidth = (plan.max_bandwidth * seat.clients) / (2 * seat.room);
    await registry.request("POST", "/api/report", {
      node_name: plan.node_name,
      email,
      token,
      status: "online",
      connection_count: seat.clients,
      current_bandwidth: Math.round(bandwidth * 10) / 10,
      reported_traffic: (bandwidth * seconds) / 8_000,
      interval_seconds: seconds,
    });
    this.meter.count();
  }
}
