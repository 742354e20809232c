import { AliyunEsaConfig } from "../../../shared/api/callback-configs.ts";
import { AliyunApi } from "../../lib/aliyun-api.ts";
import { baseUrlObjections } from "../../lib/base-url.ts";
import type { JsonObject } from "../../lib/provider-json.ts";
import type { Stage } from "../../lib/stage-record.ts";
import type { Action, ActionInput, ActionOutcome, DryRun, TestFinding } from "./action.ts";
import { confirmWrite } from "./confirmation.ts";
import { lastAnswer, toFinding } from "./finding.ts";

type Input = ActionInput<AliyunEsaConfig>;

const ENDPOINT = "https://esa.cn-hangzhou.aliyuncs.com";
const VERSION = "2024-09-10";

const ports = ["OriginHttpPort", "OriginHttpsPort"] as const;
type PortField = (typeof ports)[number];

/** Which ports a rule uses, by its scheme; both when it has none or follows the visitor's. */
const portsOfScheme: Readonly<Record<string, readonly PortField[]>> = {
  http: ["OriginHttpPort"],
  https: ["OriginHttpsPort"],
};

/** Keeps the ports of one origin rule of Alibaba Cloud ESA in step. */
export const aliyunEsa: Action<AliyunEsaConfig> = {
  type: "aliyun_esa",
  config: AliyunEsaConfig,
  objections: ({ base_url: baseUrl }) => baseUrlObjections(baseUrl),

  async run(input): Promise<ActionOutcome> {
    const before = await readRule(input, "read");
    const wanted = withPort(before, input.mapping.publicPort);
    const changed = ports.filter((field) => wanted[field] !== before[field]);
    if (changed.length === 0) {
      const note = `The rule ${nameOf(before)} has port ${input.mapping.publicPort} already`;
      return { status: "skipped", note, ...lastAnswer(input.exchange) };
    }
    const written = Object.fromEntries(changed.map((field) => [field, String(wanted[field])]));
    await openApi(input).call("write", "POST", "UpdateOriginRule", { ...ids(input), ...written });
    const after = await readRule(input, "verify");
    const what = `The port of the rule ${nameOf(before)}`;
    confirmWrite({ what, wanted, found: after, ours: changed, mayAdd: false });
    const note = `${what} went from ${portWords(before)} to ${input.mapping.publicPort}`;
    return { status: "succeeded", note, ...lastAnswer(input.exchange) };
  },

  test: (input): Promise<TestFinding> =>
    toFinding(async () => {
      const rule = await readRule(input, "read");
      const message = `The key reads the site. The rule ${nameOf(rule)} has ${portWords(rule)}. Whether the key may edit it shows with the first write.`;
      return { ok: true, message, details: rule };
    }),

  async dryRun(input): Promise<DryRun> {
    const before = await readRule(input, "read");
    const after = withPort(before, input.mapping.publicPort);
    return { changed: ports.some((field) => before[field] !== after[field]), before, after };
  },
};

function openApi({ config, exchange, now }: Input): AliyunApi {
  return new AliyunApi({
    accessKeyId: config.access_key_id,
    accessKeySecret: config.access_key_secret,
    endpoint: config.base_url ?? ENDPOINT,
    version: VERSION,
    exchange,
    now,
  });
}

function ids({ config }: Input): Record<string, string> {
  return { SiteId: config.site_id, ConfigId: config.rule_id };
}

/** The fields of the rule; what differs from answer to answer is left out. */
async function readRule(input: Input, stage: Stage): Promise<JsonObject> {
  const answer = await openApi(input).call(stage, "GET", "GetOriginRule", ids(input));
  const { RequestId: _requestId, ...rule } = answer;
  return rule;
}

function withPort(rule: JsonObject, port: number): JsonObject {
  const used = portsOfScheme[String(rule.OriginScheme)] ?? ports;
  return { ...rule, ...Object.fromEntries(used.map((field) => [field, String(port)])) };
}

/** A global configuration has no name. */
function nameOf({ RuleName: name, ConfigId: id }: JsonObject): string {
  return typeof name === "string" && name !== "" ? name : String(id);
}

function portWords(rule: JsonObject): string {
  const said = ports
    .filter((field) => rule[field] !== undefined && rule[field] !== "")
    .map((field) => `${String(rule[field])} (${field})`);
  return said.length === 0 ? "no port of its own" : said.join(" and ");
}
