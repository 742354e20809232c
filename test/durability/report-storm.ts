import type { Answer, Client } from "../support/client.ts";

export interface StormNode {
  name: string;
  token: string;
}

interface Sent {
  node: StormNode;
  body: Record<string, unknown>;
  gb: number;
}

/**
 * Sends numbered reports at a steady rate and keeps the books: what was acknowledged, and what
 * was sent without an answer, so that nobody may know whether it counted.
 */
export class ReportStorm {
  readonly acknowledged = new Map<string, number>();
  readonly unanswered: Sent[] = [];
  readonly surprises: string[] = [];
  readonly #email: string;
  readonly #nodes: readonly StormNode[];
  #count = 0;

  constructor(email: string, nodes: readonly StormNode[]) {
    this.#email = email;
    this.#nodes = nodes;
  }

  get total(): number {
    return this.acknowledgedCount + this.unanswered.length;
  }

  acknowledgedCount = 0;

  /** Sends `perSecond` reports until `signal` ends it; connection errors are part of the game. */
  async run(client: Client, perSecond: number, signal: AbortSignal): Promise<void> {
    const open = new Set<Promise<void>>();
    const everyMs = Math.max(10, 1_000 / perSecond);
    while (!signal.aborted) {
      for (let n = 0; n < (perSecond * everyMs) / 1000; n++) {
        const sending = this.#send(client, this.#next()).finally(() => open.delete(sending));
        open.add(sending);
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    await Promise.all(open);
  }

  /** Sends again, with the same ids, whatever was left without an answer. */
  async settle(client: Client): Promise<void> {
    for (const sent of this.unanswered.splice(0)) await this.#send(client, sent);
  }

  /** GB that each node must show. */
  expected(node: StormNode): number {
    return this.acknowledged.get(node.name) ?? 0;
  }

  #next(): Sent {
    const count = this.#count++;
    const node = this.#nodes[count % this.#nodes.length] as StormNode;
    const gb = 1 + (count % 7);
    const body = {
      node_name: node.name,
      email: this.#email,
      token: node.token,
      current_bandwidth: count % 100,
      reported_traffic: gb,
      connection_count: count % 50,
      status: "online",
      report_id: `report-${count}`,
    };
    return { node, body, gb };
  }

  async #send(client: Client, sent: Sent): Promise<void> {
    let answer: Answer;
    try {
      answer = await client.request("POST", "/api/report", { body: sent.body });
    } catch {
      this.unanswered.push(sent);
      return;
    }
    if (answer.status === 200) {
      this.acknowledgedCount++;
      this.acknowledged.set(sent.node.name, this.expected(sent.node) + sent.gb);
    } else if (answer.status === 503) this.unanswered.push(sent);
    else this.surprises.push(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
}
