import type { ProviderContext, TestFinding } from "./provider.ts";

/**
 * For services that have nothing but updates: whether something answers there is all that can be
 * learnt without one.
 */
export async function lookAtService(
  { exchange }: ProviderContext,
  baseUrl: string,
  credentials: string,
): Promise<TestFinding> {
  const { status } = await exchange.send({
    stage: "read",
    method: "GET",
    url: `${new URL(baseUrl).origin}/`,
    headers: {},
  });
  const message = `A web server answers there, with ${status}. Whether the service takes ${credentials} shows with the first update: it cannot be asked.`;
  return { ok: status < 500, message, details: { http_status: status } };
}
