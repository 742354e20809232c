/**
 * Answers are data: nothing in them may run, be framed, or be kept by a cache unasked. What says
 * nothing about data is left to pages.
 */
const everywhere: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/**
 * The hot paths carry what matters to them alone: each header costs them more than a percent. No
 * cache keeps an answer to POST unasked (RFC 9110 §9.3.3), and nosniff keeps JSON what it is.
 */
const open: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
};
const hotPosts: ReadonlySet<string> = new Set(["/api/report", "/api/query"]);

/** The endpoints anybody may call, from a page of any origin too. */
const publicPaths: ReadonlySet<string> = new Set([
  "/api/report",
  "/api/query",
  "/api/public",
  "/api/stats",
  "/api/stats/history",
  "/connect",
]);

function isPublic(path: string): boolean {
  return publicPaths.has(path) || path.startsWith("/api/public/");
}

/** The page that shows the API runs its own scripts, and nobody else's. */
const page: Readonly<Record<string, string>> = {
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/**
 * The pages of the web app. Its library writes rules of its own into `<style>`, which this answer's
 * nonce allows; nothing else that stands in the page itself may style it or run.
 */
export function webPageHeaders(nonce: string): Record<string, string> {
  return {
    "cache-control": "no-cache",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy":
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; ` +
      "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  };
}

/** Says which headers every answer for a path carries. */
export class StandingHeaders {
  readonly #restricted: Readonly<Record<string, string>>;
  readonly #open: Readonly<Record<string, string>>;
  readonly #hotPost: Readonly<Record<string, string>>;
  readonly #page: Readonly<Record<string, string>>;

  /** `publicUrl` decides whether browsers are told to come back by HTTPS only. */
  constructor(publicUrl: string | undefined) {
    const secure = publicUrl?.startsWith("https:")
      ? { "strict-transport-security": "max-age=31536000" }
      : {};
    this.#restricted = { ...everywhere, ...secure, "cross-origin-resource-policy": "same-origin" };
    this.#page = { ...this.#restricted, ...page };
    this.#hotPost = { ...open, ...secure };
    this.#open = { ...this.#hotPost, "cache-control": "no-store" };
  }

  /** `path` without its query and its trailing slash. */
  for(path: string): Readonly<Record<string, string>> {
    if (hotPosts.has(path)) return this.#hotPost;
    if (isPublic(path)) return this.#open;
    return path === "/docs" || path.startsWith("/docs/") ? this.#page : this.#restricted;
  }
}

/** What a page of another origin may do here, in answer to its preflight. */
export function preflightHeaders(path: string, methods: string[]): Record<string, string> {
  if (!isPublic(path)) return {};
  return {
    "access-control-allow-methods": methods.join(", "),
    "access-control-allow-headers": "Content-Type, If-None-Match, X-Network-Name, X-Request-Id",
    "access-control-max-age": "86400",
  };
}

/** The path of a request target, without query and trailing slash. */
export function pathOf(target: string): string {
  const end = target.search(/[?#]/);
  const path = end === -1 ? target : target.slice(0, end);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
