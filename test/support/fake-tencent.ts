import { ProviderServer, type Received, type Reply } from "./provider-server.ts";
import { Tc3Verifier } from "./tc3-verifier.ts";

type Json = Record<string, unknown>;

const KEY = { id: "AKIDtest0123456789", secret: "tencent-secret-0123456789" };
const ZONE = "zone-27q0p0bali12";
const VERSION = "2022-09-01";

/** Parameter objects of an action that is not of that kind: shown as null, refused as null. */
const unsetParameters: readonly string[] = ["CacheParameters", "HSTSParameters"];
const ruleFields: readonly string[] = ["RuleId", "RuleName", "Status", "Description", "Branches"];

/**
 * The rules of one EdgeOne zone: a write replaces the whole rule; what is not set is shown as null,
 * and null is not taken.
 */
export class FakeTencent {
  readonly key = KEY;
  readonly zoneId = ZONE;
  readonly rules = new Map<string, Json>();
  /** Runs after a write was stored. */
  afterWrite: (rule: Json) => void = () => {};
  /** Whether requests of the official SDK are let in, too. */
  allowSdk = false;
  readonly server: ProviderServer;
  readonly #verifier: Tc3Verifier;

  private constructor(server: ProviderServer, now: () => number) {
    this.server = server;
    this.#verifier = new Tc3Verifier({ [KEY.id]: KEY.secret }, "teo", now);
    server.answer = (request) => this.#answer(request);
  }

  static async listen(now: () => number): Promise<FakeTencent> {
    return new FakeTencent(await ProviderServer.listen(), now);
  }

  #answer({ method, url, message, body }: Received): Reply {
    if (method !== "POST" || url.pathname !== "/") return { status: 404, body: "not found" };
    const fault = this.#verifier.check(message, body, { sdk: this.allowSdk });
    if (fault !== undefined) return failure(fault);
    const { "x-tc-action": action, "x-tc-version": version } = message.headers;
    if (version !== VERSION) return failure("NoSuchVersion");
    const given = JSON.parse(body.toString()) as Json;
    if (given.ZoneId !== this.zoneId) return failure("InvalidParameter.ZoneNotFound");
    if (action === "DescribeL7AccRules") return this.#describe(given);
    if (action === "ModifyL7AccRule") return this.#modify(given.Rule as Json | undefined);
    return failure("InvalidAction");
  }

  #describe({ Filters: filters }: Json): Reply {
    const [filter] = (filters ?? []) as { Name: string; Values: string[] }[];
    if (filter && filter.Name !== "rule-id") return failure("InvalidParameter");
    const found = [...this.rules.values()].filter(
      ({ RuleId: id }) => !filter || filter.Values.includes(id as string),
    );
    const shown = found.map((rule, index) => ({ ...shownRule(rule), RulePriority: index + 1 }));
    return success({ TotalCount: found.length, Rules: shown });
  }

  #modify(rule: Json | undefined): Reply {
    const id = String(rule?.RuleId);
    if (!rule || !this.rules.has(id)) return failure("InvalidParameter.InvalidRuleEngineNotFound");
    const unknown = Object.keys(rule).find((name) => !ruleFields.includes(name));
    if (unknown !== undefined) return failure("UnknownParameter");
    if (holdsNull(rule)) return failure("InvalidParameter");
    const objection = originsOf(rule)
      .map(objectionTo)
      .find((code) => code !== undefined);
    if (objection !== undefined) return failure(objection);
    const stored = structuredClone({ Status: "enable", RuleName: "", Description: [], ...rule });
    this.rules.set(id, stored);
    this.afterWrite(stored);
    return success({});
  }
}

function shownRule(value: unknown): Json {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) => {
    const isAction = key !== "" && typeof each === "object" && each !== null && "Name" in each;
    if (!isAction) return each;
    const unset = unsetParameters.filter((name) => !(name in each));
    return { ...each, ...Object.fromEntries(unset.map((name) => [name, null])) };
  }) as Json;
}

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value as Json).some(holdsNull);
}

/** The parameters of every ModifyOrigin, however deep. */
function originsOf(value: unknown): Json[] {
  if (typeof value !== "object" || value === null) return [];
  const { Name: name, ModifyOriginParameters: parameters } = value as Json;
  const own = name === "ModifyOrigin" ? [parameters as Json] : [];
  return [...own, ...Object.values(value).flatMap(originsOf)];
}

function objectionTo({ OriginProtocol: protocol, Origin: origin, ...ports }: Json) {
  const due = { http: ["HTTPOriginPort"], https: ["HTTPSOriginPort"] }[String(protocol)] ?? [
    "HTTPOriginPort",
    "HTTPSOriginPort",
  ];
  if (!due.every((name) => isPort(ports[name]))) return "InvalidParameter";
  const isPrivate = /^(?:10|127|192\.168)\./.test(String(origin));
  return isPrivate ? "InvalidParameter.ErrInvalidActionOriginPrivateAddress" : undefined;
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65_535;
}

function success(response: Json): Reply {
  return { status: 200, body: { Response: { ...response, RequestId: "3c140219-cfe9" } } };
}

function failure(Code: string): Reply {
  const Error = { Code, Message: `The request failed: ${Code}` };
  return { status: 200, body: { Response: { Error, RequestId: "3c140219-cfe9" } } };
}
