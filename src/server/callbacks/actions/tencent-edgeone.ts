import { TencentEdgeoneConfig } from "../../../shared/api/callback-configs.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import { isObject, type JsonObject } from "../../lib/provider-json.ts";
import type { Stage } from "../../lib/stage-record.ts";
import { TencentApi } from "../../lib/tencent-api.ts";
import {
  ActionError,
  type Action,
  type ActionInput,
  type ActionOutcome,
  type DryRun,
  type TestFinding,
} from "./action.ts";
import { confirmWrite } from "./confirmation.ts";
import { nameOf, originOf, wantedOrigin, withOrigin, writable } from "./edgeone-rule.ts";
import { lastAnswer, toFinding } from "./finding.ts";

type Input = ActionInput<TencentEdgeoneConfig>;

const ENDPOINT = "https://teo.tencentcloudapi.com";
const VERSION = "2022-09-01";

/** Keeps the origin of one rule of Tencent Cloud EdgeOne in step: its ports, and its address. */
export const tencentEdgeone: Action<TencentEdgeoneConfig> = {
  type: "tencent_edgeone",
  config: TencentEdgeoneConfig,
  objections: ({ base_url: baseUrl }) => baseUrlObjections(baseUrl),

  async run(input): Promise<ActionOutcome> {
    const plan = await planChange(input);
    if (plan.changed.length === 0) {
      const note = `The rule ${nameOf(plan.before)} has ${plan.words} already`;
      return { status: "skipped", note, ...lastAnswer(input.exchange) };
    }
    const { site_id: ZoneId } = input.config;
    await openApi(input).call("write", "ModifyL7AccRule", { ZoneId, Rule: plan.after });
    const found = await readRule(input, "verify");
    const what = `The origin of the rule ${nameOf(plan.before)}`;
    const { after: wanted, changed: ours } = plan;
    confirmWrite({ what, wanted, found: writable(found), ours, mayAdd: true });
    const note = `${what} is ${plan.words} now`;
    return { status: "succeeded", note, ...lastAnswer(input.exchange) };
  },

  test: (input): Promise<TestFinding> =>
    toFinding(async () => {
      const rule = await readRule(input, "read");
      const { parameters } = originOf(rule);
      const { OriginProtocol: protocol, Origin: origin } = parameters;
      const state = rule.Status === "disable" ? "is switched off" : "is on";
      const message = `The key reads the zone. The rule ${nameOf(rule)} ${state} and asks ${String(origin)} by ${String(protocol)}. Whether the key may edit it shows with the first write.`;
      return { ok: true, message, details: { rule: nameOf(rule), origin: parameters } };
    }),

  async dryRun(input): Promise<DryRun> {
    const { before, after, changed } = await planChange(input);
    return { changed: changed.length > 0, before, after };
  },
};

interface Plan {
  before: JsonObject;
  after: JsonObject;
  /** Dotted paths of what is to change. */
  changed: string[];
  /** What the origin is to be, for people. */
  words: string;
}

async function planChange(input: Input): Promise<Plan> {
  const rule = await readRule(input, "read");
  const origin = originOf(rule);
  const updateIp = input.config.update_origin_ip ?? true;
  const wanted = wantedOrigin(origin, input.mapping, updateIp);
  const changed = Object.keys(wanted).filter((name) => origin.parameters[name] !== wanted[name]);
  return {
    before: writable(rule),
    after: writable(withOrigin(rule, origin, wanted)),
    changed: changed.map((name) => `${origin.path}.${name}`),
    words: Object.entries(wanted)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(", "),
  };
}

function openApi({ config, exchange, now }: Input): TencentApi {
  return new TencentApi({
    secretId: config.secret_id,
    secretKey: config.secret_key,
    endpoint: config.base_url ?? ENDPOINT,
    service: "teo",
    version: VERSION,
    exchange,
    now,
  });
}

/** @throws ActionError when the zone has no such rule */
async function readRule(input: Input, stage: Stage): Promise<JsonObject> {
  const { site_id: ZoneId, rule_id: ruleId } = input.config;
  const { Rules: rules } = await openApi(input).call(stage, "DescribeL7AccRules", {
    ZoneId,
    Filters: [{ Name: "rule-id", Values: [ruleId] }],
  });
  const found = Array.isArray(rules) ? rules.filter(isObject) : [];
  const rule = found.find((each) => each.RuleId === ruleId);
  if (rule && found.length === 1) return rule;
  const message = `The zone ${ZoneId} has no rule ${ruleId}`;
  throw new ActionError("permanent", "rule_not_found", message);
}
