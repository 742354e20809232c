import { CloudflareApi } from "../../lib/cloudflare-api.ts";
import { ProviderError } from "../../lib/provider-error.ts";
import { isObject, type JsonObject } from "../../lib/provider-json.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { ActionError } from "./action.ts";

/** An origin rule and the ruleset that holds it. */
export interface OriginRule {
  rulesetId: string;
  /** As it came. */
  rule: JsonObject;
}

/** What the API adds to a rule and does not take back. */
const readOnly: ReadonlySet<string> = new Set(["id", "version", "last_updated", "categories"]);

/** The origin rules of one zone. Every method throws ProviderError and ExchangeError. */
export class OriginRules {
  readonly #api: CloudflareApi;
  readonly #rulesets: string;

  constructor(api: CloudflareApi, zoneId: string) {
    this.#api = api;
    this.#rulesets = `/zones/${zoneId}/rulesets`;
  }

  /** @throws ActionError when there is no such rule, or it is none that leads to an origin */
  async get(stage: Stage, ruleId: string): Promise<OriginRule> {
    const ruleset = await this.#entrypoint(stage);
    const { id, rules } = isObject(ruleset) ? ruleset : {};
    const known = Array.isArray(rules) ? rules.filter(isObject) : [];
    if (typeof id !== "string") {
      throw new ActionError("transient", "not_readable", "Cloudflare's answer holds no ruleset");
    }
    const rule = known.find((each) => each.id === ruleId);
    if (!rule) {
      const others = known.map((each) => `${nameOf(each)} (${String(each.id)})`).join(", ");
      const message = `The zone has no origin rule ${ruleId}; it has ${others || "none"}`;
      throw new ActionError("permanent", "rule_not_found", message);
    }
    if (rule.action !== "route") {
      const message = `The rule ${nameOf(rule)} does "${String(rule.action)}", not "route"`;
      throw new ActionError("permanent", "not_an_origin_rule", message);
    }
    return { rulesetId: id, rule };
  }

  /** Replaces the rule as a whole: the API keeps nothing that is left out. */
  async replace({ rulesetId, rule }: OriginRule): Promise<void> {
    const path = `${this.#rulesets}/${rulesetId}/rules/${String(rule.id)}`;
    await this.#api.patch("write", path, writable(rule));
  }

  async #entrypoint(stage: Stage): Promise<unknown> {
    try {
      return await this.#api.get(stage, `${this.#rulesets}/phases/http_request_origin/entrypoint`);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.httpStatus !== 404) throw error;
      const message = `The zone has no origin rules, or there is no such zone. ${error.message}`;
      throw new ActionError("permanent", "no_origin_rules", message, { httpStatus: 404 });
    }
  }
}

/** What of a rule can be sent. */
export function writable(rule: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(rule).filter(([name]) => !readOnly.has(name)));
}

export function portOf({ action_parameters: parameters }: JsonObject): number | null {
  const origin = isObject(parameters) ? parameters.origin : undefined;
  return isObject(origin) && typeof origin.port === "number" ? origin.port : null;
}

/** The rule with another port, and nothing else changed. */
export function withPort(rule: JsonObject, port: number): JsonObject {
  const parameters = isObject(rule.action_parameters) ? rule.action_parameters : {};
  const origin = isObject(parameters.origin) ? parameters.origin : {};
  return { ...rule, action_parameters: { ...parameters, origin: { ...origin, port } } };
}

export function nameOf({ description, id }: JsonObject): string {
  return typeof description === "string" && description !== "" ? description : String(id);
}
