import { logLevels } from "./lib/logger.ts";

/** One setting, as the operator sees it. `docs/configuration.md` is generated from this list. */
export interface Setting {
  name: string;
  fallback: string;
  about: string;
  secret?: true;
}

/** Of the environment variables. */
export const PREFIX = "WAYPOST_";

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
    name: "SECRET_KEY",
    fallback: "",
    about:
      "Seals the credentials of callback and domain accounts, at least 32 characters without spaces; older keys that still open them may follow, separated by spaces, until `waypost rotate-key` has sealed everything by the first one. Empty: generated into the data folder on the first start. Several processes on one PostgreSQL must share it.",
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
  {
    name: "CHECK_REMOTE_URL",
    fallback: "",
    about:
      "Origin of a check function, which then does the online checks. Empty: the service does them itself.",
  },
  {
    name: "CHECK_REMOTE_KEY",
    fallback: "",
    about: "Key that is sent to the check function in X-API-Key.",
    secret: true,
  },
  {
    name: "CHECK_API_KEY",
    fallback: "",
    about:
      "Key that callers of the online checks must send in X-API-Key. Empty: everybody may call them.",
    secret: true,
  },
  {
    name: "CHECK_POLICY",
    fallback: "auto",
    about:
      "Which addresses online checks may connect to. `public`: no private, loopback or reserved ones; `any`: all; `auto`: `any` only for callers on the same machine while the service listens on loopback with neither PUBLIC_URL nor TRUST_PROXY set.",
  },
  {
    name: "CHECK_ALLOW",
    fallback: "",
    about:
      "Comma-separated addresses and CIDR ranges that online checks may connect to whatever the policy says.",
  },
  {
    name: "CHECK_INTERVAL_SECONDS",
    fallback: "0",
    about:
      "How often the service checks each node by itself, 60–86400; a node that fails three checks in a row is left out of queries. `0`: never. Only public addresses are checked, unless CHECK_POLICY is `any` or CHECK_ALLOW opens others.",
  },
  {
    name: "STUN_SERVERS",
    fallback: "",
    about:
      "Comma-separated `host:port` of the STUN servers of rules that name none, two or more of them. Empty: a list of public servers.",
  },
  {
    name: "WEBHOOK_POLICY",
    fallback: "lan",
    about:
      "Which addresses callbacks may connect to. `lan`: private and loopback ones too; `public`: only those of the public internet. Link-local addresses, metadata services and this service itself are never allowed.",
  },
  {
    name: "PORT_MAPPING",
    fallback: "off",
    about:
      "`auto` asks the home router to forward the ports of STUN rules (PCP, NAT-PMP or UPnP), and takes that back when they close. `off`: the router is left alone.",
  },
  {
    name: "CALLBACK_HISTORY_DAYS",
    fallback: "90",
    about: "How many days finished callback runs are kept, 1–3650.",
  },
  {
    name: "CALLBACK_HISTORY_RUNS",
    fallback: "10000",
    about: "How many finished callback runs are kept at most, 100–1000000.",
  },
  {
    name: "NOTICE_WEBHOOK_URL",
    fallback: "",
    about:
      "Where a JSON notice is posted when a callback task has failed after its retries, and when it has recovered; WEBHOOK_POLICY applies. Empty: nowhere.",
    secret: true,
  },
  {
    name: "NOTICE_MAIL_TO",
    fallback: "",
    about: "Address to which such notices are mailed; needs SMTP_URL. Empty: to nobody.",
  },
  {
    name: "DRAIN_SECONDS",
    fallback: "0",
    about:
      "How long the service goes on answering after SIGTERM, 0–5, while /readyz says 503: the time that what stands in front of several instances needs to see it. Then nobody new is let in, and connections end with their next answer.",
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

/** A setting that cannot be used. The message is one line that names it. */
export class ConfigError extends Error {}
