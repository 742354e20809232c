import type { Client } from "../support/client.ts";
import type { StormNode } from "./report-storm.ts";

export const SETUP_SECRET = "the-set-up-secret-of-the-durability-tests";
export const EMAIL = "owner@example.org";
export const PASSWORD = "correct horse battery staple";

async function send(
  client: Client,
  method: string,
  path: string,
  status: number,
  body?: unknown,
  token?: string,
): Promise<Record<string, unknown>> {
  const answer = await client.request(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
  if (answer.status !== status) {
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer.body as Record<string, unknown>;
}

async function logIn(client: Client): Promise<string> {
  const body = { email: EMAIL, password: PASSWORD };
  return (await send(client, "POST", "/api/auth/login", 200, body))["token"] as string;
}

/** Sets the system up and creates nodes whose reports are counted. */
export async function createReporters(client: Client, count: number): Promise<StormNode[]> {
  await send(client, "POST", "/api/system/initialize", 201, {
    jwt_secret: SETUP_SECRET,
    email: EMAIL,
    password: PASSWORD,
  });
  const session = await logIn(client);
  const nodes: StormNode[] = [];
  for (let number = 1; number <= count; number++) {
    const name = `node-${number}`;
    const body = {
      node_name: name,
      region_type: "domestic",
      connections: [{ type: "TCP", ip: "192.0.2.1", port: 11_010 }],
    };
    const created = await send(client, "POST", "/api/nodes/", 201, body, session);
    nodes.push({ name, token: created["report_token"] as string });
  }
  return nodes;
}

/** GB that the service shows for each node, by name. */
export async function shownTraffic(client: Client): Promise<Map<string, number>> {
  const { nodes } = await send(client, "GET", "/api/nodes/my", 200, undefined, await logIn(client));
  const list = nodes as { node_name: string; used_traffic: number }[];
  return new Map(list.map((node) => [node.node_name, node.used_traffic]));
}
