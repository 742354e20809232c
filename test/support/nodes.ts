import type { Answer, Client } from "./client.ts";

/** The least a creation needs, with the named fields set. */
export function nodeBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    node_name: "relay-1",
    region_type: "domestic",
    connections: [{ type: "TCP", ip: "203.0.113.7", port: 11010 }],
    ...fields,
  };
}

export interface CreatedNode {
  id: number;
  name: string;
  token: string;
}

/** Creates a node through the API. */
export async function createNode(
  client: Client,
  session: string,
  fields: Record<string, unknown> = {},
): Promise<CreatedNode> {
  const body = nodeBody(fields);
  const answer = await client.request("POST", "/api/nodes/", { body, token: session });
  if (answer.status !== 201) throw new Error(`creation answered ${JSON.stringify(answer.body)}`);
  return {
    id: answer.body.node_id as number,
    name: String(body["node_name"]).trim(),
    token: answer.body.report_token as string,
  };
}

/** Sends a report for a node, with the named fields set. */
export function sendReport(
  client: Client,
  email: string,
  node: CreatedNode,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const body = {
    node_name: node.name,
    email,
    token: node.token,
    current_bandwidth: 0,
    reported_traffic: 0,
    connection_count: 0,
    status: "online",
    ...fields,
  };
  return client.request("POST", "/api/report", { body });
}
