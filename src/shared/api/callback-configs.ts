import { Type, type Static } from "typebox";

const configLimits = {
  urlLength: 4096,
  idLength: 64,
  secretLength: 1024,
  headersLength: 16_384,
  bodyLength: 65_536,
  patternLength: 1024,
} as const;

const strict = { additionalProperties: false };
/** Stands in a path or a query of the provider. */
const Id = Type.String({ minLength: 1, maxLength: configLimits.idLength, pattern: "^[\\w-]+$" });
const DecimalId = Type.String({ minLength: 1, maxLength: 20, pattern: "^\\d+$" });
/** Travels in a header. */
const Key = Type.String({
  minLength: 1,
  maxLength: configLimits.secretLength,
  pattern: "^[\\x21-\\x7e]+$",
});
const BaseUrl = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: configLimits.urlLength,
    description: "Origin and path prefix of the API; absent: the provider's own",
  }),
);

export const CloudflareOriginRuleConfig = Type.Object(
  { api_token: Key, zone_id: Id, rule_id: Id, base_url: BaseUrl },
  strict,
);
export type CloudflareOriginRuleConfig = Static<typeof CloudflareOriginRuleConfig>;

export const AliyunEsaConfig = Type.Object(
  {
    access_key_id: Key,
    access_key_secret: Key,
    site_id: DecimalId,
    rule_id: DecimalId,
    base_url: BaseUrl,
  },
  strict,
);
export type AliyunEsaConfig = Static<typeof AliyunEsaConfig>;

export const TencentEdgeoneConfig = Type.Object(
  {
    secret_id: Key,
    secret_key: Key,
    site_id: Id,
    rule_id: Id,
    base_url: BaseUrl,
    update_origin_ip: Type.Optional(
      Type.Boolean({ default: true, description: "Whether the origin's address is kept in step" }),
    ),
  },
  strict,
);
export type TencentEdgeoneConfig = Static<typeof TencentEdgeoneConfig>;

export const WebhookConfig = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: configLimits.urlLength,
      description: "May hold `{{ name }}`",
    }),
    method: Type.Optional(Type.Enum(["GET", "POST"])),
    headers: Type.Optional(
      Type.String({
        maxLength: configLimits.headersLength,
        description: "`Name: value` a line; values may hold `{{ name }}`",
      }),
    ),
    body_template: Type.Optional(
      Type.String({
        maxLength: configLimits.bodyLength,
        description: "May hold `{{ name }}`; empty: a JSON object with what happened",
      }),
    ),
    signing_secret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: configLimits.secretLength,
        description: "Signs as Standard Webhooks does: `whsec_` and Base64, or a plain text",
      }),
    ),
    success_contains: Type.Optional(
      Type.String({
        maxLength: configLimits.patternLength,
        description: "Must stand in the answer's body, whose status must be 2xx",
      }),
    ),
  },
  strict,
);
export type WebhookConfig = Static<typeof WebhookConfig>;
