import type { NodeChecks } from "../../src/shared/api/node-checks.ts";
import type { Connection } from "../../src/shared/api/nodes.ts";
import { openDatabase } from "../../src/server/database/database.ts";
import type { NodeCheckTable } from "../../src/server/database/schema.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { join, logIn, setUp } from "./accounts.ts";
import { FakeNetwork } from "./fake-network.ts";
import { createNode, sendReport, type CreatedNode } from "./nodes.ts";
import type { SuiteContext, TestService } from "./service.ts";

const OWNER = "owner@example.com";
const INTERVAL_SECONDS = 60;
/** Longer steps would be taken for a sleep of the machine. */
const STEP_MS = 10_000;

/** A service that checks its nodes every minute, with an owner. */
export class CheckedFleet {
  readonly service: TestService;
  owner: string;
  readonly network: FakeNetwork;
  readonly nodes: CreatedNode[] = [];

  private constructor(service: TestService, owner: string, network: FakeNetwork) {
    this.service = service;
    this.owner = owner;
    this.network = network;
  }

  /** @param env settings; without real sockets unless `isReal` */
  static async start(
    start: SuiteContext["start"],
    env: Record<string, string> = {},
    isReal = false,
  ): Promise<CheckedFleet> {
    const network = new FakeNetwork();
    const service = await start({
      env: {
        CHECK_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
        CHECK_POLICY: "any",
        METRICS_TOKEN: "metrics",
        ...env,
      },
      ...(isReal ? {} : { checks: { sockets: network } }),
    });
    await setUp(service);
    return new CheckedFleet(service, await join(service, OWNER), network);
  }

  /** A node at these places; one of its own without any. */
  async add(...connections: Connection[]): Promise<CreatedNode> {
    const number = this.nodes.length + 1;
    const node = await createNode(this.service, this.owner, {
      node_name: `node-${number}`,
      connections: connections.length > 0 ? connections : [placeOf(number)],
    });
    this.nodes.push(node);
    return node;
  }

  /** Nodes at places of their own, all of which listen. */
  async addListening(count: number): Promise<CreatedNode[]> {
    const added: CreatedNode[] = [];
    for (let time = 0; time < count; time++) {
      const { ip, port } = placeOf(this.nodes.length + 1);
      this.network.listen(`${ip}:${port}`);
      added.push(await this.add());
    }
    return added;
  }

  /** An interval, at whose begin every node reports. */
  async pass(intervals = 1): Promise<void> {
    for (let time = 0; time < intervals; time++) {
      for (const node of this.nodes) await this.report(node);
      for (let ms = 0; ms < INTERVAL_SECONDS * 1000; ms += STEP_MS) {
        this.service.clock.advance(STEP_MS);
        await this.service.service.background.runWorkersOnce();
      }
    }
  }

  async report(node: CreatedNode): Promise<void> {
    const answer = await sendReport(this.service, OWNER, node, { connection_count: 7 });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  /** Names of the nodes that the query can answer with, in order. */
  async selectable(): Promise<string[]> {
    const { body } = await this.service.request("POST", "/api/query", { body: { limit: 20 } });
    return (body.nodes as { node_name: string }[]).map((each) => each.node_name).sort();
  }

  async checksOf(node: CreatedNode): Promise<NodeChecks> {
    const path = `/api/nodes/${node.id}/checks`;
    const answer = await this.service.request("GET", path, { token: this.owner });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body as NodeChecks;
  }

  /** Sessions end after a day. */
  async logIn(): Promise<void> {
    this.owner = await logIn(this.service, OWNER);
  }

  /** The value of a metric, by its name and labels. */
  async metric(name: string): Promise<number> {
    const { body } = await this.service.request("GET", "/metrics", { token: "metrics" });
    const line = String(body)
      .split("\n")
      .find((each) => each.startsWith(`${name} `));
    if (line === undefined) throw new Error(`there is no ${name}`);
    return Number(line.slice(name.length));
  }

  /** Stops the service. @returns its `node_checks`, by key */
  async stored(): Promise<NodeCheckTable[]> {
    await this.service.service.stop();
    const { config, clock } = this.service;
    const database = await openDatabase(config.database, clock, createLogger("silent"));
    try {
      const rows = database.db.selectFrom("node_checks").selectAll();
      return await rows.orderBy("node_id").orderBy("connection").orderBy("at").execute();
    } finally {
      await database.close();
    }
  }

  async remove(node: CreatedNode): Promise<void> {
    this.nodes.splice(this.nodes.indexOf(node), 1);
    await this.service.request("DELETE", `/api/nodes/${node.id}`, { token: this.owner });
  }

  async move(node: CreatedNode, ...connections: Connection[]): Promise<void> {
    const path = `/api/nodes/${node.id}`;
    const answer = await this.service.request("PUT", path, {
      token: this.owner,
      body: { connections },
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
}

/** Where node number `number` listens, unless it says otherwise. */
export function placeOf(number: number): Connection {
  return { type: "TCP", ip: `203.0.113.${number}`, port: 11010 };
}
