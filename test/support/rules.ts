import type { Rule } from "../../src/shared/api/stun.ts";
import type { Client } from "./client.ts";

/** Creates a STUN rule through the API, with the named fields set. */
export async function createRule(
  client: Client,
  token: string,
  fields: Record<string, unknown> = {},
): Promise<Rule> {
  const body = { name: "home", transport: "udp", ...fields };
  const answer = await client.request("POST", "/api/stun/rules", { body, token });
  if (answer.status !== 201) throw new Error(`creation answered ${JSON.stringify(answer.body)}`);
  return answer.body.rule as Rule;
}

export async function getRule(client: Client, token: string, id: number): Promise<Rule> {
  const answer = await client.request("GET", `/api/stun/rules/${id}`, { token });
  if (answer.status !== 200) throw new Error(`reading answered ${JSON.stringify(answer.body)}`);
  return answer.body.rule as Rule;
}
