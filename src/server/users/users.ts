import type { Metric } from "prom-client";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { HOUR_MS, type Clock } from "../lib/clock.ts";
import type { Lifecycle } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import { countersOf, gaugeOf } from "../lib/metric.ts";
import { PasswordHasher } from "../lib/password-hasher.ts";
import { PeriodicWorker } from "../lib/worker.ts";
import { AccountLimits } from "./account-limits.ts";
import { AccountMail } from "./account-mail.ts";
import { UserAdministration, type OwnedNodes } from "./administration.ts";
import { MailQueue } from "./mail-queue.ts";
import type { Mail } from "./mails.ts";
import { dropUnverified } from "./retention.ts";
import { AccountService } from "./service.ts";
import { SessionTokens } from "./session-token.ts";
import { SessionService } from "./session.ts";
import { createSmtpTransport } from "./smtp.ts";

export interface UsersGround {
  config: Config;
  database: Database;
  clock: Clock;
  logger: Logger;
  lifecycle: Lifecycle;
  jwtSecret: string;
  nodes: OwnedNodes;
  /** Where people reach the service; asked when a mail is written. */
  baseUrl: () => string;
}

export interface Users {
  hasher: PasswordHasher;
  sessions: SessionService;
  accounts: AccountService;
  userAdministration: UserAdministration;
  /** Hands a mail to the queue; undefined: no mail is sent. */
  sendNotice: ((mail: Omit<Mail, "kind">) => void) | undefined;
  /** For Prometheus; none where no mail is sent. */
  mailMetrics: Metric[];
}

/** Builds the parts that deal with accounts. */
export function assembleUsers(ground: UsersGround): Users {
  const { config, database, clock, logger, lifecycle, baseUrl } = ground;
  const hasher = new PasswordHasher();
  lifecycle.add(hasher);
  let queue: MailQueue | undefined;
  if (config.smtpUrl) {
    queue = new MailQueue(createSmtpTransport(config.smtpUrl, config.mailFrom), logger);
    lifecycle.add(queue);
  }
  const drop = () => dropUnverified(database.db, clock);
  lifecycle.add(new PeriodicWorker("unverified accounts", HOUR_MS, drop, logger));
  const tokens = new SessionTokens(ground.jwtSecret, clock);
  const limits = new AccountLimits(clock, config.rateLimit);
  const mail = new AccountMail(database, clock, limits, queue, baseUrl);
  return {
    hasher,
    sessions: new SessionService(database.db, tokens),
    accounts: new AccountService({ database, clock, hasher, tokens, limits, mail }),
    userAdministration: new UserAdministration(database, clock, ground.nodes),
    sendNotice: queue && noticesThrough(queue),
    mailMetrics: queue ? metricsOf(queue) : [],
  };
}

function noticesThrough(queue: MailQueue): Users["sendNotice"] {
  return (mail) => queue.add(async () => ({ kind: "notice", ...mail }));
}

function metricsOf(queue: MailQueue): Metric[] {
  return [
    countersOf("waypost_mails_total", "Mails by what has become of them.", "outcome", () => ({
      ...queue.outcomes,
    })),
    gaugeOf("waypost_mails_waiting", "Mails that wait for their turn.", () => queue.waiting),
  ];
}
