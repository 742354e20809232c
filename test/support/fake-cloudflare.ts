import { ProviderServer, type Received, type Reply } from "./provider-server.ts";

type Rule = Record<string, unknown>;

interface Ruleset {
  id: string;
  version: number;
  rules: Rule[];
}

const TOKEN = "cf-token-0123456789abcdef";
const ZONE = "0123456789abcdef0123456789abcdef";
const RULESET = "2f2feab2026849078ba485f918791bdc";
const ENTRYPOINT = `/client/v4/zones/${ZONE}/rulesets/phases/http_request_origin/entrypoint`;

/** What a rule may hold when it is written, beside its action. */
const writable: ReadonlySet<string> = new Set([
  "action",
  "action_parameters",
  "description",
  "enabled",
  "expression",
  "logging",
  "position",
  "ref",
]);

/**
 * Cloudflare's rulesets for one zone, as far as origin rules need them: a PATCH replaces the rule as
 * a whole, with the API's defaults for what is left out.
 */
export class FakeCloudflare {
  readonly token = TOKEN;
  readonly zoneId = ZONE;
  /** Undefined: the zone has never had an origin rule. */
  ruleset: Ruleset | undefined;
  /** Runs after a write was stored. */
  afterWrite: (rule: Rule) => void = () => {};
  readonly server: ProviderServer;

  private constructor(server: ProviderServer) {
    this.server = server;
    server.answer = (request) => this.#answer(request);
  }

  static async listen(rules: Rule[]): Promise<FakeCloudflare> {
    const fake = new FakeCloudflare(await ProviderServer.listen());
    fake.ruleset = { id: RULESET, version: 7, rules };
    return fake;
  }

  get baseUrl(): string {
    return `${this.server.url}/client/v4`;
  }

  rule(id: string): Rule | undefined {
    return this.ruleset?.rules.find((rule) => rule.id === id);
  }

  #answer({ method, url, message, body }: Received): Reply {
    const { authorization = "" } = message.headers;
    if (!authorization.startsWith("Bearer ")) return failure(400, 6003, "Invalid request headers");
    if (authorization !== `Bearer ${this.token}`)
      return failure(403, 10_000, "Authentication error");
    if (!url.pathname.startsWith(`/client/v4/zones/${ZONE}/`)) {
      return failure(
        404,
        7003,
        "Could not route to the path, perhaps your object identifier is invalid?",
      );
    }
    if (url.pathname === ENTRYPOINT && method === "GET") {
      return this.ruleset
        ? success(this.#shown())
        : failure(
            404,
            10_003,
            "could not find entrypoint ruleset in the http_request_origin phase",
          );
    }
    const path = `/client/v4/zones/${ZONE}/rulesets/${RULESET}/rules/`;
    if (!url.pathname.startsWith(path) || method !== "PATCH") {
      return failure(405, 10_405, "Method not allowed for this authentication scheme");
    }
    if (message.headers["content-type"] !== "application/json") {
      return failure(415, 10_415, "content type must be application/json");
    }
    return this.#patch(url.pathname.slice(path.length), JSON.parse(body.toString()) as Rule);
  }

  #patch(id: string, given: Rule): Reply {
    const rule = this.rule(id);
    if (!this.ruleset || !rule) return failure(404, 20_127, "could not find rule");
    const objection = objectionTo(given);
    if (objection !== undefined) return failure(400, 20_127, objection);
    const version = String(Number(rule.version) + 1);
    const kept = { id, version, ref: id, enabled: true, description: "" };
    for (const name of Object.keys(rule)) Reflect.deleteProperty(rule, name);
    Object.assign(rule, kept, given, { last_updated: "2026-11-20T12:00:00.000000Z" });
    this.ruleset.version += 1;
    this.afterWrite(rule);
    return success(this.#shown());
  }

  #shown(): unknown {
    const { id, version, rules } = this.ruleset ?? { id: "", version: 0, rules: [] };
    return {
      id,
      name: "default",
      kind: "zone",
      phase: "http_request_origin",
      version: String(version),
      last_updated: "2026-11-20T12:00:00.000000Z",
      rules,
    };
  }
}

function objectionTo(given: Rule): string | undefined {
  const unknown = Object.keys(given).find((name) => !writable.has(name));
  if (unknown !== undefined) return `unknown field "${unknown}"`;
  if (typeof given.action !== "string") return "must match exactly one schema";
  if (typeof given.expression !== "string" || given.expression === "") {
    return "expression must not be empty";
  }
  const { origin } = (given.action_parameters ?? {}) as { origin?: { port?: unknown } };
  const port = origin?.port;
  const isPort = Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535;
  return port === undefined || (typeof port === "number" && isPort) ? undefined : "invalid port";
}

function success(result: unknown): Reply {
  return { status: 200, body: { result, success: true, errors: [], messages: [] } };
}

function failure(status: number, code: number, message: string): Reply {
  const body = { result: null, success: false, errors: [{ code, message }], messages: [] };
  return { status, body };
}
