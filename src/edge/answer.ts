/** Answers are data: nothing in them may run, be framed, or be kept by a cache. */
const everywhere: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/** `body` as JSON; undefined for an answer without a body. */
export function toAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  if (body === undefined)
    return new Response(null, { status, headers: { ...everywhere, ...headers } });
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...everywhere, "content-type": "application/json; charset=utf-8", ...headers },
  });
}
