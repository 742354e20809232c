import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Range } from "../probe/target-policy.ts";
import type { HostPort } from "./lib/host-port.ts";
import type { EgressMode } from "./lib/egress-policy.ts";
import type { LogLevel } from "./lib/logger.ts";
import {
  toBareOrigin,
  toCheckInterval,
  toChoice,
  toCount,
  toHeaderKey,
  toHostPorts,
  toInstance,
  toJwtSecret,
  toLogLevel,
  toMailAddress,
  toOrigin,
  toPort,
  toRanges,
  toSecretKeys,
  toSender,
  toTrustProxy,
  toUrl,
} from "./setting-values.ts";
import { ConfigError, PREFIX, settings } from "./settings.ts";
import { stateSettings, type StatedSetting, type Variables } from "./stated-settings.ts";

export type DatabaseTarget =
  | { dialect: "sqlite"; file: string }
  | { dialect: "postgres"; url: string };

/** How online checks are done, and for whom. */
export interface CheckConfig {
  /** Origin of the check function; undefined: the service checks itself. */
  remoteUrl: string | undefined;
  remoteKey: string | undefined;
  /** Undefined: everybody may call. */
  apiKey: string | undefined;
  policy: "auto" | "public" | "any";
  /** Open under any policy. */
  allow: readonly Range[];
  /** Between two checks of a node that nobody asked for; 0 = there are none. */
  intervalMs: number;
}

/** How long the history of callbacks is, and who is told of failures. */
export interface CallbackConfig {
  historyDays: number;
  historyRuns: number;
  noticeWebhookUrl: string | undefined;
  noticeMailTo: string | undefined;
}

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  database: DatabaseTarget;
  /** Undefined: the one in the data folder, made when missing. */
  jwtSecret: string | undefined;
  /** The first one seals; undefined: those in the data folder, made when missing. */
  secretKeys: [string, ...string[]] | undefined;
  publicUrl: string | undefined;
  trustProxy: boolean | string[];
  smtpUrl: string | undefined;
  mailFrom: string;
  exposeVerificationToken: boolean;
  rateLimit: boolean;
  logLevel: LogLevel;
  instance: string;
  /** Between the signal to stop and the end of listening. */
  drainMs: number;
  metricsToken: string | undefined;
  checks: CheckConfig;
  webhookPolicy: EgressMode;
  callbacks: CallbackConfig;
  /** Asked by rules that name none; empty: the built-in list. */
  stunServers: readonly HostPort[];
  /** Whether the home router is asked to forward the ports of holes. */
  portMapping: boolean;
  /** Names that begin like a setting and are none; worth a warning. */
  unknownSettings: string[];
  /** What all of the above was read from. */
  stated: readonly StatedSetting[];
}

/** The whole stop takes less than ten seconds. */
const LONGEST_DRAIN_SECONDS = 5;
const webhookPolicies = { lan: "lan", public: "public" } as const;
const policies = { auto: "auto", public: "public", any: "any" } as const;

/**
 * The configuration of a process: its environment, over the `.env` file of `directory` when there is
 * one.
 * @throws ConfigError
 */
export function loadConfig(environment: Variables, directory: string): Config {
  return parseConfig(environment, readDotEnv(directory));
}

function readDotEnv(directory: string): Variables {
  try {
    return parseEnv(readFileSync(resolve(directory, ".env"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new ConfigError(`.env cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Environment to configuration.
 * @param dotEnv what the environment overrides
 * @throws ConfigError naming the first setting that is wrong
 */
export function parseConfig(environment: Variables, dotEnv: Variables = {}): Config {
  const stated = stateSettings(environment, dotEnv);
  const read = (name: string) => stated.valueOf(name);
  const dataDir = resolve(read("DATA_DIR"));
  const config: Config = {
    host: read("HOST"),
    port: toPort("PORT", read("PORT")),
    dataDir,
    database: toDatabase(read("DATABASE_URL"), dataDir),
    jwtSecret: toJwtSecret(read("JWT_SECRET")),
    secretKeys: read("SECRET_KEY")
      ? toSecretKeys(`${PREFIX}SECRET_KEY`, read("SECRET_KEY"))
      : undefined,
    publicUrl: toOrigin("PUBLIC_URL", read("PUBLIC_URL")),
    trustProxy: toTrustProxy(read("TRUST_PROXY")),
    smtpUrl: toUrl("SMTP_URL", read("SMTP_URL"), ["smtp:", "smtps:"]),
    mailFrom: toSender(read("MAIL_FROM")),
    exposeVerificationToken: toChoice(
      "EXPOSE_VERIFICATION_TOKEN",
      read("EXPOSE_VERIFICATION_TOKEN"),
      { true: true, false: false },
    ),
    rateLimit: toChoice("RATE_LIMIT", read("RATE_LIMIT"), { on: true, off: false }),
    logLevel: toLogLevel(read("LOG_LEVEL")),
    instance: toInstance(read("INSTANCE")),
    drainMs: 1_000 * toCount("DRAIN_SECONDS", read("DRAIN_SECONDS"), 0, LONGEST_DRAIN_SECONDS),
    metricsToken: read("METRICS_TOKEN") || undefined,
    checks: {
      remoteUrl: toBareOrigin("CHECK_REMOTE_URL", read("CHECK_REMOTE_URL")),
      remoteKey: toHeaderKey("CHECK_REMOTE_KEY", read("CHECK_REMOTE_KEY")),
      apiKey: toHeaderKey("CHECK_API_KEY", read("CHECK_API_KEY")),
      policy: toChoice("CHECK_POLICY", read("CHECK_POLICY"), policies),
      allow: toRanges("CHECK_ALLOW", read("CHECK_ALLOW")),
      intervalMs: toCheckInterval("CHECK_INTERVAL_SECONDS", read("CHECK_INTERVAL_SECONDS")),
    },
    stunServers: toHostPorts("STUN_SERVERS", read("STUN_SERVERS")),
    portMapping: toChoice("PORT_MAPPING", read("PORT_MAPPING"), { auto: true, off: false }),
    webhookPolicy: toChoice("WEBHOOK_POLICY", read("WEBHOOK_POLICY"), webhookPolicies),
    callbacks: {
      historyDays: toCount("CALLBACK_HISTORY_DAYS", read("CALLBACK_HISTORY_DAYS"), 1, 3650),
      historyRuns: toCount("CALLBACK_HISTORY_RUNS", read("CALLBACK_HISTORY_RUNS"), 100, 1_000_000),
      noticeWebhookUrl: toUrl("NOTICE_WEBHOOK_URL", read("NOTICE_WEBHOOK_URL"), [
        "http:",
        "https:",
      ]),
      noticeMailTo: toMailAddress("NOTICE_MAIL_TO", read("NOTICE_MAIL_TO")),
    },
    unknownSettings: Object.keys({ ...dotEnv, ...environment }).filter(isUnknownSetting),
    stated: stated.list,
  };
  if (!config.exposeVerificationToken && !config.smtpUrl) {
    throw new ConfigError(
      "WAYPOST_EXPOSE_VERIFICATION_TOKEN=false needs WAYPOST_SMTP_URL: nobody could verify an address",
    );
  }
  if (config.callbacks.noticeMailTo !== undefined && !config.smtpUrl) {
    throw new ConfigError("WAYPOST_NOTICE_MAIL_TO needs WAYPOST_SMTP_URL: no mail could be sent");
  }
  return config;
}

function isUnknownSetting(key: string): boolean {
  if (!key.startsWith(PREFIX)) return false;
  const name = key.slice(PREFIX.length);
  return !settings.some(
    (each) => each.name === name || (each.secret && `${each.name}_FILE` === name),
  );
}

function toDatabase(value: string, dataDir: string): DatabaseTarget {
  if (value === "") return { dialect: "sqlite", file: resolve(dataDir, "waypost.db") };
  if (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)) {
    return { dialect: "postgres", url: value };
  }
  if (value.startsWith("sqlite:") && value.length > "sqlite:".length) {
    return { dialect: "sqlite", file: resolve(value.slice("sqlite:".length)) };
  }
  throw new ConfigError(
    `${PREFIX}DATABASE_URL must be postgres://user:password@host/name, sqlite:<file>, or empty`,
  );
}
