import { isObject, type JsonObject } from "../../lib/provider-json.ts";
import type { Mapping } from "../change.ts";
import { ActionError } from "./action.ts";

const ports = ["HTTPOriginPort", "HTTPSOriginPort"] as const;

/** Which ports an origin uses, by its protocol; both when it follows the visitor's. */
const portsOfProtocol: Readonly<Record<string, readonly (typeof ports)[number][]>> = {
  http: ["HTTPOriginPort"],
  https: ["HTTPSOriginPort"],
  follow: ports,
};

/** Where a rule says which origin is asked. */
export interface OriginPlace {
  /** Dotted, from the rule: `Branches.0.Actions.2.ModifyOriginParameters`. */
  path: string;
  parameters: JsonObject;
}

/**
 * The one `ModifyOrigin` of a rule, in its branches or in those of its sub-rules.
 * @throws ActionError when there is none or there are several
 */
export function originOf(rule: JsonObject): OriginPlace {
  const found = [...originsIn(rule, "")];
  const [origin] = found;
  if (origin && found.length === 1) return origin;
  const count = found.length === 0 ? "no" : String(found.length);
  const message = `The rule ${nameOf(rule)} has ${count} ModifyOrigin actions; exactly one is needed`;
  throw new ActionError("permanent", "not_one_modify_origin", message);
}

/** Looks at branches only: their conditions and other actions may hold anything. */
function* originsIn(ruleOrSubRule: JsonObject, path: string): Generator<OriginPlace> {
  for (const [index, branch] of listOf(ruleOrSubRule.Branches).entries()) {
    const here = `${path}Branches.${index}.`;
    for (const [at, action] of listOf(branch.Actions).entries()) {
      const { Name: name, ModifyOriginParameters: parameters } = action;
      if (name !== "ModifyOrigin" || !isObject(parameters)) continue;
      yield { path: `${here}Actions.${at}.ModifyOriginParameters`, parameters };
    }
    for (const [at, subRule] of listOf(branch.SubRules).entries()) {
      yield* originsIn(subRule, `${here}SubRules.${at}.`);
    }
  }
}

/**
 * What the origin should say.
 * @throws ActionError when this kind of origin has no port
 */
export function wantedOrigin(
  { parameters }: OriginPlace,
  { publicIp, publicPort }: Mapping,
  updateIp: boolean,
): JsonObject {
  const { OriginType: type, OriginProtocol: protocol } = parameters;
  const used = portsOfProtocol[String(protocol)];
  if (!used) {
    const message = `An origin of type ${String(type)} without http, https or follow has no port to set`;
    throw new ActionError("permanent", "origin_without_port", message);
  }
  const wanted = Object.fromEntries(used.map((field) => [field, publicPort]));
  return updateIp && type === "IPDomain" ? { ...wanted, Origin: publicIp } : wanted;
}

/** A copy of the rule with these parameters of its origin changed. */
export function withOrigin(
  rule: JsonObject,
  { path }: OriginPlace,
  wanted: JsonObject,
): JsonObject {
  const copy = structuredClone(rule);
  let at: unknown = copy;
  for (const key of path.split(".")) at = (at as Record<string, unknown>)[key];
  Object.assign(at as object, wanted);
  return copy;
}

/** What of a rule can be sent back: parameters that are not set come as null, and are not taken. */
export function writable(rule: JsonObject): JsonObject {
  const { RulePriority: _priority, ...rest } = rule;
  return withoutNulls(rest) as JsonObject;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutNulls(each)]));
}

export function nameOf({ RuleName: name, RuleId: id }: JsonObject): string {
  return typeof name === "string" && name !== "" ? name : String(id);
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map((each) => (isObject(each) ? each : {})) : [];
}
