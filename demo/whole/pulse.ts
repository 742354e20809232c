import { setTimeout as sleep } from "node:timers/promises";
import { Refusal, type CreatedNode, type RegistryClient } from "../registry-client.ts";
import { momentOf, noise } from "./ebb.ts";

const INTERVAL_MS = 30_000;
/** Another token, or too late; no such node. */
const REFUSED = [403, 404];

/**
 * The nodes report on, each at its own moments. One that is refused falls silent: whoever
 * plays with the demo may have given it another token, let it expire, or deleted it.
 */
export async function beat(
  client: RegistryClient,
  nodes: readonly CreatedNode[],
  email: string,
  signal: AbortSignal,
): Promise<void> {
  const report = async ({ plan, token }: CreatedNode, index: number): Promise<void> => {
    let waitMs = noise(index, 5) * INTERVAL_MS * 0.1;
    for (let beats = 0; !signal.aborted; beats++) {
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const now = Date.now();
      const { isUp, bandwidth, connections } = momentOf(plan, index, now, now);
      const wobble = 0.9 + 0.2 * noise(index, beats);
      const answer = client.request("POST", "/api/report", {
        node_name: plan.node_name,
        email,
        token,
        status: isUp ? "online" : "maintenance",
        connection_count: Math.round(connections * wobble),
        current_bandwidth: Math.round(bandwidth * wobble * 10) / 10,
        reported_traffic: beats === 0 ? 0 : (bandwidth * INTERVAL_MS) / 8e6,
        interval_seconds: INTERVAL_MS / 1000,
        version: index % 5 === 0 ? "2.4.1" : "2.4.5",
      });
      if (await answer.then(() => false, isSilenced)) return;
      waitMs = INTERVAL_MS * (beats === 0 ? noise(index, 6) : 1);
    }
  };
  await Promise.all(nodes.map(report));
}

function isSilenced(error: unknown): true {
  if (error instanceof Refusal && REFUSED.includes(error.status)) return true;
  throw error;
}
