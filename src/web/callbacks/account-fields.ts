import type { AccountType } from "../../shared/api/callbacks.ts";
import type { ConfigField } from "../lib/config-fields.ts";

const baseUrl = (example: string): ConfigField => ({
  name: "base_url",
  kind: "text",
  form: "url",
  example,
  isAdvanced: true,
  most: 4096,
});
const id = { kind: "text", isRequired: true, most: 64 } as const;
const key = { isRequired: true, form: "key" } as const;

/** The fields of `config` that are texts, secrets and switches, by type of account. */
export const accountFields: Readonly<Record<AccountType, readonly ConfigField[]>> = {
  cloudflare_origin_rule: [
    { name: "api_token", kind: "secret", ...key },
    { name: "zone_id", ...id, form: "word", example: "0123456789abcdef0123456789abcdef" },
    { name: "rule_id", ...id, form: "word" },
    baseUrl("https://api.cloudflare.com/client/v4"),
  ],
  aliyun_esa: [
    { name: "access_key_id", kind: "text", ...key },
    { name: "access_key_secret", kind: "secret", ...key },
    { name: "site_id", ...id, form: "digits", most: 20 },
    { name: "rule_id", ...id, form: "digits", most: 20 },
    baseUrl("https://esa.cn-hangzhou.aliyuncs.com"),
  ],
  tencent_edgeone: [
    { name: "secret_id", kind: "text", ...key },
    { name: "secret_key", kind: "secret", ...key },
    { name: "site_id", ...id, form: "word", example: "zone-…" },
    { name: "rule_id", ...id, form: "word", example: "rule-…" },
    { name: "update_origin_ip", kind: "flag", isOnByDefault: true },
    baseUrl("https://teo.tencentcloudapi.com"),
  ],
  webhook: [
    { name: "url", kind: "text", isRequired: true, form: "url", most: 4096 },
    { name: "method", kind: "choice", choices: ["POST", "GET"] },
    { name: "headers", kind: "text", most: 16_384 },
    { name: "body_template", kind: "text", most: 65_536 },
    { name: "signing_secret", kind: "secret" },
    { name: "success_contains", kind: "text" },
  ],
  domain_account: [],
  registry_node: [],
};
