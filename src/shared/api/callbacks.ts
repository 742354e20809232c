import { Type, type Static } from "typebox";
import { MessageBody, Timestamp } from "./common.ts";
import { transports } from "./nodes.ts";

export const accountTypes = [
  "cloudflare_origin_rule",
  "aliyun_esa",
  "tencent_edgeone",
  "webhook",
  "domain_account",
  "registry_node",
] as const;
export type AccountType = (typeof accountTypes)[number];

/** The fields of `config` that are written only, by the type of account. */
export const accountSecrets: Readonly<Record<AccountType, readonly string[]>> = {
  cloudflare_origin_rule: ["api_token"],
  aliyun_esa: ["access_key_secret"],
  tencent_edgeone: ["secret_key"],
  webhook: ["signing_secret"],
  domain_account: [],
  registry_node: [],
};

/** What starts a task. */
export const triggers = ["stun_ip_change", "stun_port_change", "stun_ip_or_port_change"] as const;
export type Trigger = (typeof triggers)[number];

export const runStatuses = [
  "queued",
  "running",
  "retrying",
  "succeeded",
  "skipped",
  "failed",
  "superseded",
  "cancelled",
] as const;
export type RunStatus = (typeof runStatuses)[number];

const templatePlaces = ["url", "header", "json", "form", "text"] as const;

export const callbackLimits = {
  nameLength: 64,
  templateLength: 65_536,
  runs: 200,
  runsUnasked: 50,
} as const;

const strict = { additionalProperties: false };
const Id = Type.Integer({ minimum: 1 });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const NullablePort = Type.Union([Port, Type.Null()]);
const NullableText = Type.Union([Type.String(), Type.Null()]);
const NullableTime = Type.Union([Timestamp, Type.Null()]);
const NullableCount = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);

export const IdPath = Type.Object({ id: Id });

const Name = Type.String({
  description: `1–${callbackLimits.nameLength} characters, unique`,
  examples: ["home"],
});
const AnyConfig = Type.Record(Type.String(), Type.Unknown(), {
  description:
    "By type. In a change, fields that are left out stay as they are, secrets too; null takes an optional field away",
});

export const NewAccount = Type.Object(
  { name: Name, type: Type.Enum([...accountTypes]), config: AnyConfig },
  strict,
);
export type NewAccount = Static<typeof NewAccount>;
export const AccountChange = Type.Partial(NewAccount, strict);
export type AccountChange = Static<typeof AccountChange>;

export const CallbackAccount = Type.Object({
  id: Id,
  name: Name,
  type: Type.Enum([...accountTypes]),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description: "By type. In the place of a secret stands { set, hint }: its last characters",
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type CallbackAccount = Static<typeof CallbackAccount>;
export const AccountList = Type.Object({ accounts: Type.Array(CallbackAccount) });
export const AccountAnswer = Type.Object({ account: CallbackAccount });
export const AccountChanged = Type.Object({ ...MessageBody.properties, account: CallbackAccount });

export const TestAnswer = Type.Object({
  ok: Type.Boolean(),
  message: Type.String(),
  details: Type.Optional(Type.Unknown()),
});
export type TestAnswer = Static<typeof TestAnswer>;

export const NewTask = Type.Object(
  {
    name: Name,
    enabled: Type.Boolean(),
    trigger: Type.Enum([...triggers]),
    stun_rule_id: Id,
    account_id: Id,
  },
  strict,
);
export type NewTask = Static<typeof NewTask>;
export const TaskChange = Type.Partial(NewTask, strict);
export type TaskChange = Static<typeof TaskChange>;

export const CallbackTask = Type.Object({ id: Id, ...NewTask.properties });
export type CallbackTask = Static<typeof CallbackTask>;
export const TaskList = Type.Object({ tasks: Type.Array(CallbackTask) });
export const TaskAnswer = Type.Object({ task: CallbackTask });
export const TaskChanged = Type.Object({ ...MessageBody.properties, task: CallbackTask });

const run = {
  id: Id,
  task_id: Id,
  task_name: Type.String(),
  account_id: Id,
  account_name: Type.String(),
  account_type: Type.Enum([...accountTypes]),
  rule_id: Id,
  rule_name: Type.String(),
  trigger: Type.Enum([...triggers, "manual"]),
  public_ip: Type.String(),
  public_port: Port,
  previous_ip: NullableText,
  previous_port: NullablePort,
  status: Type.Enum([...runStatuses]),
  attempt_count: Type.Integer({ minimum: 0, description: "Tries, a running one included" }),
  http_status: Type.Union([Type.Integer(), Type.Null()], { description: "Of the last answer" }),
  response_body: Type.Union([Type.String(), Type.Null()], {
    description: "Of the last answer, up to 64 KiB, as the target wrote it: not to be trusted",
  }),
  error: NullableText,
  created_at: Timestamp,
  started_at: NullableTime,
  finished_at: NullableTime,
  duration_ms: NullableCount,
};

export const Run = Type.Object(run);
export type Run = Static<typeof Run>;

export const Attempt = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  stages: Type.Array(
    Type.Object({
      stage: Type.Enum(["read", "write", "verify"]),
      method: Type.String(),
      url: Type.String(),
      request_headers: Type.Record(Type.String(), Type.String()),
      request_body: NullableText,
      status: Type.Union([Type.Integer(), Type.Null()]),
      response_headers: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
      response_body: NullableText,
      truncated: Type.Boolean(),
      duration_ms: Type.Integer({ minimum: 0 }),
    }),
    { description: "Each request and its answer, without secrets" },
  ),
  error_class: NullableText,
  error: NullableText,
  started_at: Timestamp,
  duration_ms: Type.Integer({ minimum: 0 }),
});
export type Attempt = Static<typeof Attempt>;

const filter = {
  task_id: Type.Optional(Id),
  rule_id: Type.Optional(Id),
  status: Type.Optional(Type.Enum([...runStatuses], { type: "string" })),
};

/** Newest first; `before` is the last id of the page before. */
export const RunsQuery = Type.Object(
  {
    ...filter,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: callbackLimits.runs,
        default: callbackLimits.runsUnasked,
      }),
    ),
    before: Type.Optional(Id),
  },
  strict,
);
export const RunList = Type.Object({ runs: Type.Array(Run) });
export const RunWithAttempts = Type.Object({ ...run, attempts: Type.Array(Attempt) });
export type RunWithAttempts = Static<typeof RunWithAttempts>;
export const RunAnswer = Type.Object({ run: RunWithAttempts });
export const NextAttempt = Type.Object({
  next_attempt_at: Type.Union([Timestamp, Type.Null()], {
    description: "When the run is tried again; null unless it waits for that",
  }),
});
export type NextAttempt = Static<typeof NextAttempt>;
export const RunChanged = Type.Object({ ...MessageBody.properties, run: Run });

export const ExportQuery = Type.Object(
  { format: Type.Enum(["csv", "json"], { type: "string" }), ...filter },
  strict,
);

export const RunNowQuery = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ description: "Read and compute, write nothing", default: false }),
    ),
  },
  strict,
);
export const DryRunAnswer = Type.Object({
  dry_run: Type.Object({
    changed: Type.Boolean(),
    before: Type.Unknown(),
    after: Type.Unknown(),
  }),
});
export type DryRunAnswer = Static<typeof DryRunAnswer>;

export const PreviewBody = Type.Object(
  {
    template: Type.String({ maxLength: callbackLimits.templateLength }),
    place: Type.Enum([...templatePlaces], {
      description: "Where the text will stand: that decides how values are escaped",
    }),
    stun_rule_id: Type.Optional(
      Type.Integer({ minimum: 1, description: "Whose mapping to show; example values otherwise" }),
    ),
  },
  strict,
);
export type PreviewBody = Static<typeof PreviewBody>;
export const PreviewAnswer = Type.Object({
  preview: Type.Object({
    text: Type.String(),
    is_live: Type.Boolean({ description: "Whether the values are those of a live mapping" }),
    values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()])),
  }),
});
export type PreviewAnswer = Static<typeof PreviewAnswer>;

/** `config` of an account of the type `registry_node`. */
export const RegistryNodeConfig = Type.Object(
  {
    node_id: Type.Integer({ minimum: 1, description: "Any node of this registry" }),
    transport: Type.Optional(
      Type.String({
        maxLength: 8,
        description: `${transports.join(", ")}, in any case; that of the rule when left out`,
      }),
    ),
  },
  strict,
);
export type RegistryNodeConfig = Static<typeof RegistryNodeConfig>;
