import { tsigAlgorithms, type ProviderName } from "../../shared/api/domains.ts";
import type { ConfigField } from "../lib/config-fields.ts";

const key = { isRequired: true, form: "key" } as const;
const secret = { kind: "secret", isRequired: true } as const;
const text = { kind: "text", isRequired: true } as const;
const domain: ConfigField = { name: "domain", ...text, example: "example.com" };
const zone: ConfigField = { name: "zone", ...text, example: "example.com" };
const baseUrl = (example: string): ConfigField => ({
  name: "base_url",
  kind: "text",
  form: "url",
  example,
  isAdvanced: true,
});

/** The fields of `config`, by provider. */
export const providerFields: Readonly<Record<ProviderName, readonly ConfigField[]>> = {
  cloudflare: [
    { name: "api_token", kind: "secret", ...key },
    { name: "zone_id", ...text, form: "word", most: 64 },
    baseUrl("https://api.cloudflare.com/client/v4"),
  ],
  alidns: [
    { name: "access_key_id", kind: "text", ...key },
    { name: "access_key_secret", kind: "secret", ...key },
    domain,
    baseUrl("https://alidns.aliyuncs.com"),
  ],
  dnspod: [
    { name: "secret_id", kind: "text", ...key },
    { name: "secret_key", kind: "secret", ...key },
    domain,
    baseUrl("https://dnspod.tencentcloudapi.com"),
  ],
  rfc2136: [
    { name: "server", ...text, form: "hostPort", example: "ns1.example.com:53" },
    zone,
    { name: "key_name", ...text, example: "waypost" },
    { name: "key_secret", ...secret },
    {
      name: "key_algorithm",
      kind: "choice",
      choices: [
        "hmac-sha256",
        ...tsigAlgorithms.filter((algorithm) => algorithm !== "hmac-sha256"),
      ],
    },
  ],
  powerdns: [
    { name: "base_url", ...text, form: "url", example: "http://127.0.0.1:8081" },
    { name: "api_key", kind: "secret", ...key },
    zone,
    {
      name: "server_id",
      kind: "text",
      form: "word",
      example: "localhost",
      isAdvanced: true,
      most: 64,
    },
  ],
  dyndns2: [
    { name: "base_url", ...text, form: "url", example: "https://dynupdate.no-ip.com" },
    { name: "username", ...text },
    { name: "password", ...secret },
  ],
  desec: [{ name: "token", kind: "secret", ...key }, domain, baseUrl("https://desec.io/api/v1")],
  duckdns: [{ name: "token", ...secret }, baseUrl("https://www.duckdns.org")],
};
