import { Type, type Static, type TSchema } from "typebox";
import { MessageBody, Timestamp } from "./common.ts";

export const providerNames = [
  "cloudflare",
  "alidns",
  "dnspod",
  "rfc2136",
  "powerdns",
  "dyndns2",
  "desec",
  "duckdns",
] as const;
export type ProviderName = (typeof providerNames)[number];

export const recordTypes = ["A", "AAAA", "SRV", "HTTPS", "SVCB", "TXT"] as const;
export type RecordType = (typeof recordTypes)[number];

export const tsigAlgorithms = [
  "hmac-sha1",
  "hmac-sha224",
  "hmac-sha256",
  "hmac-sha384",
  "hmac-sha512",
] as const;

export const domainLimits = {
  nameLength: 64,
  textLength: 1024,
  records: 32,
  recordNameLength: 255,
  templateLength: 1024,
  ttlSeconds: 2_147_483_647,
  protocols: 8,
} as const;

const strict = { additionalProperties: false };
const Id = Type.Integer({ minimum: 1 });
const uint16 = (description: string) => Type.Integer({ minimum: 0, maximum: 65_535, description });

const text = (description: string) =>
  Type.String({ minLength: 1, maxLength: domainLimits.textLength, description });
/** Travels in a header. */
const key = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: domainLimits.textLength,
    pattern: "^[\\x21-\\x7e]+$",
    description,
  });
/** Stands in a path. */
const word = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, pattern: "^[\\w-]+$", description });
const baseUrl = Type.Optional(
  text("Origin of the API and the prefix of its paths; for another server than the provider's own"),
);

export const CloudflareConfig = Type.Object(
  { api_token: key("With DNS:Edit for the zone"), zone_id: word("Of the zone"), base_url: baseUrl },
  strict,
);
export const AlidnsConfig = Type.Object(
  {
    access_key_id: key("AccessKey"),
    access_key_secret: key("Of the AccessKey"),
    domain: text("The domain as it was added, such as example.com"),
    base_url: baseUrl,
  },
  strict,
);
export const DnspodConfig = Type.Object(
  {
    secret_id: key("SecretId"),
    secret_key: key("SecretKey"),
    domain: text("The domain as it was added, such as example.com"),
    base_url: baseUrl,
  },
  strict,
);
export const Rfc2136Config = Type.Object(
  {
    server: text("host:port of the primary name server"),
    zone: text("The zone that is updated"),
    key_name: text("Of the TSIG key"),
    key_secret: text("Of the TSIG key, Base64"),
    key_algorithm: Type.Optional(Type.Enum([...tsigAlgorithms], { default: "hmac-sha256" })),
  },
  strict,
);
export const PowerdnsConfig = Type.Object(
  {
    base_url: text("Where the server's API lies, such as http://127.0.0.1:8081"),
    api_key: key("The server's api-key"),
    zone: text("The zone that is updated"),
    server_id: Type.Optional(word("`localhost` when left out")),
  },
  strict,
);
export const Dyndns2Config = Type.Object(
  {
    base_url: text("Origin of the service; /nic/update is added unless the path ends in /update"),
    username: text("Of the service"),
    password: text("Of the service, or the key that stands for it"),
  },
  strict,
);
export const DesecConfig = Type.Object(
  { token: key("API token"), domain: text("The domain at deSEC"), base_url: baseUrl },
  strict,
);
export const DuckdnsConfig = Type.Object(
  { token: text("Of the account"), base_url: baseUrl },
  strict,
);

/** The shape of `config` by provider. */
export const providerConfigs = {
  cloudflare: CloudflareConfig,
  alidns: AlidnsConfig,
  dnspod: DnspodConfig,
  rfc2136: Rfc2136Config,
  powerdns: PowerdnsConfig,
  dyndns2: Dyndns2Config,
  desec: DesecConfig,
  duckdns: DuckdnsConfig,
} as const satisfies Record<ProviderName, TSchema>;

/** The fields of `config` that are never answered. */
export const providerSecrets = {
  cloudflare: ["api_token"],
  alidns: ["access_key_secret"],
  dnspod: ["secret_key"],
  rfc2136: ["key_secret"],
  powerdns: ["api_key"],
  dyndns2: ["password"],
  desec: ["token"],
  duckdns: ["token"],
} as const satisfies Record<ProviderName, readonly string[]>;

const AccountName = Type.String({
  description: `1–${domainLimits.nameLength} characters, unique`,
});
const Provider = Type.Enum([...providerNames]);
/** `name*, other` of each provider. */
const configWords = Object.entries(providerConfigs).map(([provider, { properties, required }]) => {
  const isRequired = (name: string) => (required as readonly string[]).includes(name);
  const names = Object.keys(properties).map((name) => (isRequired(name) ? `${name}*` : name));
  return `\`${provider}\` ${names.join(", ")}`;
});
const Config = Type.Record(Type.String(), Type.Unknown(), {
  description: `By provider (* required): ${configWords.join("; ")}`,
});
const ConfigChange = Type.Record(Type.String(), Type.Unknown(), {
  description:
    "What is left out stays, secrets too; null takes a field away. All of it when the provider changes.",
});

/** `config` is checked against the provider's own shape. */
export const NewDomainAccount = Type.Object(
  { name: AccountName, provider: Provider, config: Config },
  strict,
);
export type NewDomainAccount = Static<typeof NewDomainAccount>;
export const DomainAccountChange = Type.Object(
  {
    name: Type.Optional(AccountName),
    provider: Type.Optional(Provider),
    config: Type.Optional(ConfigChange),
  },
  strict,
);
export type DomainAccountChange = Static<typeof DomainAccountChange>;

export const DomainAccount = Type.Object({
  id: Id,
  name: AccountName,
  provider: Provider,
  config: Type.Record(Type.String(), Type.Unknown(), {
    description: "By provider. In the place of a secret stands { set, hint }: its last characters",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type DomainAccount = Static<typeof DomainAccount>;

export const DomainPath = Type.Object({ id: Id });
export const DomainAccountList = Type.Object({ accounts: Type.Array(DomainAccount) });
export const DomainAccountAnswer = Type.Object({ account: DomainAccount });
export const DomainAccountChanged = Type.Object({
  ...MessageBody.properties,
  account: DomainAccount,
});
export const DomainTestAnswer = Type.Object({
  ok: Type.Boolean(),
  message: Type.String({ description: "What was found, or why nothing could be" }),
  details: Type.Optional(Type.Unknown()),
});
export type DomainTestAnswer = Static<typeof DomainTestAnswer>;

/** A record that is kept in step with a mapping; which fields it has depends on its type. */
export const DomainRecord = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: domainLimits.recordNameLength,
      description: "Fully qualified; a final dot is optional",
    }),
    type: Type.Enum([...recordTypes]),
    ttl: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: domainLimits.ttlSeconds,
        description: "Seconds; when left out, it stays as it is",
      }),
    ),
    ip4p: Type.Optional(
      Type.Boolean({ description: "AAAA: an IPv4 address and the port as one IPv6 address" }),
    ),
    priority: Type.Optional(uint16("SRV, HTTPS, SVCB; when left out, it stays as it is")),
    weight: Type.Optional(uint16("SRV; when left out, it stays as it is")),
    target: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: domainLimits.recordNameLength,
        description: "SRV: the host, required; HTTPS, SVCB: a host, `.` for the record's own name",
      }),
    ),
    alpn: Type.Optional(
      Type.Union(
        [
          Type.String({ minLength: 1, maxLength: 255 }),
          Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
            minItems: 1,
            maxItems: domainLimits.protocols,
          }),
        ],
        { description: "HTTPS, SVCB: protocols, such as h2; when left out, they stay as they are" },
      ),
    ),
    template: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: domainLimits.templateLength,
        description: "TXT; {{public_ip}}:{{public_port}} when left out",
      }),
    ),
  },
  strict,
);
export type DomainRecord = Static<typeof DomainRecord>;

/** `config` of a callback account that keeps records in step. */
export const DomainAccountActionConfig = Type.Object(
  {
    domain_account_id: Id,
    records: Type.Array(DomainRecord, { minItems: 1, maxItems: domainLimits.records }),
  },
  strict,
);
export type DomainAccountActionConfig = Static<typeof DomainAccountActionConfig>;
