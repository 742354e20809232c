import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { logLevels, type LogLevel } from "./lib/logger.ts";

/** One setting, as the operator sees it. `docs/configuration.md` is generated from this list. */
export interface Setting {
  name: string;
  fallback: string;
  about: string;
  secret?: true;
}

const PREFIX = "WAYPOST_";

export const settings: readonly Setting[] = [
  { name: "HOST", fallback: "127.0.0.1", about: "Address to listen on." },
  { name: "PORT", fallback: "8080", about: "Port to listen on; 0 picks a free one." },
  { name: "DATA_DIR", fallback: "./data", about: "Folder for the database and generated secrets." },
  {
    name: "DATABASE_URL",
    fallback: "",
    about:
      "`postgres://user:password@host/name` for PostgreSQL; empty for an SQLite file in the data folder.",
    secret: true,
  },
  {
    name: "JWT_SECRET",
    fallback: "",
    about:
      "Signs sessions and authorizes the set-up, at least 32 characters. Empty: generated into the data folder on the first start.",
    secret: true,
  },
  {
    name: "PUBLIC_URL",
    fallback: "",
    about:
      "Address under which people reach the service, used in mails. Empty: the address it listens on.",
  },
  {
    name: "TRUST_PROXY",
    fallback: "false",
    about:
      "`true` with one proxy in front, `false` with none, or a comma-separated list of proxy addresses and CIDR ranges whose X-Forwarded-For is believed.",
  },
  {
    name: "SMTP_URL",
    fallback: "",
    about: "`smtp://user:password@host:587` or `smtps://…`; empty: no mail is sent.",
    secret: true,
  },
  {
    name: "MAIL_FROM",
    fallback: "Waypost <waypost@localhost>",
    about: "Sender of the mails.",
  },
  {
    name: "EXPOSE_VERIFICATION_TOKEN",
    fallback: "true",
    about: "`false` leaves the verification token out of the registration answer; needs SMTP_URL.",
  },
  {
    name: "RATE_LIMIT",
    fallback: "on",
    about: "`off` lifts the limits per caller, never the global ones.",
  },
  { name: "LOG_LEVEL", fallback: "info", about: `One of ${logLevels.join(", ")}.` },
  {
    name: "INSTANCE",
    fallback: "main",
    about: "Name of this process among several on one PostgreSQL, 1–32 of a–z, 0–9, `-`, `_`.",
  },
  {
    name: "METRICS_TOKEN",
    fallback: "",
    about:
      "Bearer token that opens /metrics to everybody who has it; empty: loopback callers only.",
    secret: true,
  },
];

export type DatabaseTarget =
  | { dialect: "sqlite"; file: string }
  | { dialect: "postgres"; url: string };

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  database: DatabaseTarget;
  /** Undefined: the one in the data folder, made when missing. */
  jwtSecret: string | undefined;
  publicUrl: string | undefined;
  trustProxy: boolean | string[];
  smtpUrl: string | undefined;
  mailFrom: string;
  exposeVerificationToken: boolean;
  rateLimit: boolean;
  logLevel: LogLevel;
  instance: string;
  metricsToken: string | undefined;
  /** Names that begin like a setting and are none; worth a warning. */
  unknownSettings: string[];
}

/** A setting that cannot be used. The message is one line that names it. */
export class ConfigError extends Error {}

/** The process environment over the `.env` file of `directory`, when there is one. */
export function readEnvironment(
  environment: NodeJS.ProcessEnv,
  directory: string,
): Record<string, string | undefined> {
  let text: string;
  try {
    text = readFileSync(resolve(directory, ".env"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return environment;
    throw new ConfigError(`.env cannot be read: ${(error as Error).message}`);
  }
  return { ...parseEnv(text), ...environment };
}

/**
 * Environment to configuration.
 * @throws ConfigError naming the first setting that is wrong
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const read = (name: string) => readSetting(environment, name);
  const dataDir = resolve(read("DATA_DIR"));
  const config: Config = {
    host: read("HOST"),
    port: toPort("PORT", read("PORT")),
    dataDir,
    database: toDatabase(read("DATABASE_URL"), dataDir),
    jwtSecret: toJwtSecret(read("JWT_SECRET")),
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
    metricsToken: read("METRICS_TOKEN") || undefined,
    unknownSettings: Object.keys(environment).filter(isUnknownSetting),
  };
  if (!config.exposeVerificationToken && !config.smtpUrl) {
    throw new ConfigError(
      "WAYPOST_EXPOSE_VERIFICATION_TOKEN=false needs WAYPOST_SMTP_URL: nobody could verify an address",
    );
  }
  return config;
}

function readSetting(environment: Record<string, string | undefined>, name: string): string {
  const setting = settings.find((each) => each.name === name);
  if (!setting) throw new Error(`${name} is missing in the list of settings`);
  const file = environment[`${PREFIX}${name}_FILE`];
  if (setting.secret && file) {
    try {
      return readFileSync(file, "utf8").trim();
    } catch (error) {
      throw new ConfigError(
        `${PREFIX}${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`,
      );
    }
  }
  const value = environment[PREFIX + name]?.trim();
  return value === undefined || value === "" ? setting.fallback : value;
}

function isUnknownSetting(key: string): boolean {
  if (!key.startsWith(PREFIX)) return false;
  const name = key.slice(PREFIX.length);
  return !settings.some(
    (each) => each.name === name || (each.secret && `${each.name}_FILE` === name),
  );
}

function toPort(name: string, value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65535)) throw new ConfigError(`${PREFIX}${name} must be a port from 0 to 65535`);
  return port;
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

function toJwtSecret(value: string): string | undefined {
  if (value === "") return undefined;
  if (value.length < 32) {
    throw new ConfigError(`${PREFIX}JWT_SECRET must have at least 32 characters`);
  }
  return value;
}

function toUrl(name: string, value: string, protocols: string[]): string | undefined {
  if (value === "") return undefined;
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(
      `${PREFIX}${name} must be a URL that begins with ${protocols.map((each) => `${each}//`).join(" or ")}`,
    );
  }
  return value;
}

function toOrigin(name: string, value: string): string | undefined {
  return toUrl(name, value, ["http:", "https:"])?.replace(/\/+$/, "");
}

function toTrustProxy(value: string): boolean | string[] {
  if (value === "true" || value === "false") return value === "true";
  const ranges = value.split(",").map((each) => each.trim());
  if (ranges.every(isRange)) return ranges;
  throw new ConfigError(
    `${PREFIX}TRUST_PROXY must be true, false, or a list of addresses and CIDR ranges`,
  );
}

/** An address, or one with the length of a prefix behind it. */
function isRange(value: string): boolean {
  const [address = "", length, ...more] = value.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bitsOf(family));
}

function bitsOf(family: number): number {
  return family === 4 ? 32 : 128;
}

/** An address, or a name with an address in angle brackets. */
function toSender(value: string): string {
  const address = /<([^<>]*)>$/.exec(value)?.[1] ?? value;
  if (/^[^\s<>@]+@[^\s<>@]+$/.test(address) && !/[\u0000-\u001f\u007f]/.test(value)) return value;
  throw new ConfigError(`${PREFIX}MAIL_FROM must be an address, or a name and an <address>`);
}

function toChoice<T>(name: string, value: string, choices: Record<string, T>): T {
  const choice = Object.hasOwn(choices, value) ? choices[value] : undefined;
  if (choice === undefined) {
    throw new ConfigError(`${PREFIX}${name} must be ${Object.keys(choices).join(" or ")}`);
  }
  return choice;
}

function toLogLevel(value: string): LogLevel {
  const level = logLevels.find((each) => each === value);
  if (!level) throw new ConfigError(`${PREFIX}LOG_LEVEL must be one of ${logLevels.join(", ")}`);
  return level;
}

function toInstance(value: string): string {
  if (!/^[a-z0-9_-]{1,32}$/.test(value)) {
    throw new ConfigError(`${PREFIX}INSTANCE must be 1–32 of a–z, 0–9, "-" and "_"`);
  }
  return value;
}
