import type { Caller } from "./caller.ts";
import type { Latencies } from "./latencies.ts";
import type { SoakPlan } from "./plan.ts";

const CREATORS = 16;
/** Multiples of it add up without rounding. */
const TRAFFIC_STEP = 1 / 1024;

interface SoakNode {
  id: number;
  name: string;
  token: string;
  /** GB of all reports that were acknowledged. */
  acknowledged: number;
}

/** The nodes that report, and a ledger of what was acknowledged. */
export class SoakFleet {
  readonly #caller: Caller;
  readonly #email: string;
  readonly #nodes: SoakNode[] = [];

  constructor(caller: Caller, email: string) {
    this.#caller = caller;
    this.#email = email;
  }

  async create({ nodes }: SoakPlan): Promise<void> {
    let next = 0;
    const create = async (): Promise<void> => {
      for (let number = next++; number < nodes; number = next++) {
        const name = `soak-${number}`;
        const made = await this.#caller.call<{ node_id: number; report_token: string }>(
          "POST",
          "/api/nodes/",
          {
            node_name: name,
            region_type: number % 3 === 0 ? "overseas" : "domestic",
            connections: [{ type: "TCP", ip: `198.51.100.${number % 250}`, port: 11_010 }],
            max_bandwidth: 100 + (number % 900),
            max_connections: 20 + (number % 200),
            allow_relay: number % 2,
          },
        );
        this.#nodes.push({ id: made.node_id, name, token: made.report_token, acknowledged: 0 });
      }
    };
    await Promise.all(Array.from({ length: CREATORS }, create));
  }

  async report(turn: number, intervalSeconds: number, latencies: Latencies): Promise<void> {
    const node = this.#nodes[turn % this.#nodes.length] as SoakNode;
    const traffic = (1 + (turn % 512)) * TRAFFIC_STEP;
    await latencies.measure("report", async () => {
      await this.#caller.call("POST", "/api/report", {
        node_name: node.name,
        email: this.#email,
        token: node.token,
        report_id: `soak-${turn}`,
        status: "online",
        current_bandwidth: 1 + (turn % 90),
        connection_count: turn % 20,
        reported_traffic: traffic,
        interval_seconds: intervalSeconds,
      });
      node.acknowledged += traffic;
    });
  }

  /** Nodes whose sum is not that of what was acknowledged, in words. */
  async differences(): Promise<string[]> {
    const { nodes } = await this.#caller.call<{
      nodes: { id: number; used_traffic: number; status: string }[];
    }>("GET", "/api/public");
    const shown = new Map(nodes.map((node) => [node.id, node]));
    return this.#nodes.flatMap(({ id, name, acknowledged }) => {
      const node = shown.get(id);
      if (node?.status !== "online") return [`${name} is ${node?.status ?? "missing"}`];
      const isSame = Math.abs(node.used_traffic - acknowledged) < 1e-6;
      return isSame ? [] : [`${name}: ${acknowledged} GB acknowledged, ${node.used_traffic} shown`];
    });
  }
}
