import { CloudflareOriginRuleConfig } from "../../../shared/api/callback-configs.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import { CloudflareApi } from "../../lib/cloudflare-api.ts";
import type { Action, ActionInput, ActionOutcome, DryRun, TestFinding } from "./action.ts";
import { nameOf, OriginRules, portOf, withPort, writable } from "./cloudflare-rule.ts";
import { confirmWrite } from "./confirmation.ts";
import { lastAnswer, toFinding } from "./finding.ts";

type Input = ActionInput<CloudflareOriginRuleConfig>;

/** Keeps the port of one origin rule of Cloudflare in step. The address is a DNS record there. */
export const cloudflareOriginRule: Action<CloudflareOriginRuleConfig> = {
  type: "cloudflare_origin_rule",
  config: CloudflareOriginRuleConfig,
  objections: ({ base_url: baseUrl }) => baseUrlObjections(baseUrl),

  async run(input): Promise<ActionOutcome> {
    const { publicPort } = input.mapping;
    const rules = openRules(input);
    const found = await rules.get("read", input.config.rule_id);
    if (portOf(found.rule) === publicPort) {
      const note = `The rule ${nameOf(found.rule)} has port ${publicPort} already`;
      return { status: "skipped", note, ...lastAnswer(input.exchange) };
    }
    const wanted = withPort(found.rule, publicPort);
    await rules.replace({ rulesetId: found.rulesetId, rule: wanted });
    const { rule: now } = await rules.get("verify", input.config.rule_id);
    const what = `The port of the rule ${nameOf(wanted)}`;
    confirmWrite({
      what,
      wanted: writable(wanted),
      found: writable(now),
      ours: ["action_parameters.origin.port"],
      mayAdd: true,
    });
    const note = `${what} went from ${portOf(found.rule) ?? "none"} to ${publicPort}`;
    return { status: "succeeded", note, ...lastAnswer(input.exchange) };
  },

  test: (input): Promise<TestFinding> =>
    toFinding(async () => {
      const { rule } = await openRules(input).get("read", input.config.rule_id);
      const state = rule.enabled === false ? "is switched off" : "is on";
      const message = `The token reads the zone. The rule ${nameOf(rule)} ${state} and has ${portWords(portOf(rule))}. Whether the token may edit it shows with the first write.`;
      const { expression } = rule;
      return { ok: true, message, details: { rule: nameOf(rule), port: portOf(rule), expression } };
    }),

  async dryRun(input): Promise<DryRun> {
    const { rule } = await openRules(input).get("read", input.config.rule_id);
    const after = withPort(rule, input.mapping.publicPort);
    return {
      changed: portOf(rule) !== input.mapping.publicPort,
      before: writable(rule),
      after: writable(after),
    };
  },
};

function openRules({ config, exchange, now }: Input): OriginRules {
  const api = new CloudflareApi({
    token: config.api_token,
    baseUrl: config.base_url,
    exchange,
    now,
  });
  return new OriginRules(api, config.zone_id);
}

function portWords(port: number | null): string {
  return port === null ? "no port of its own" : `port ${port}`;
}
