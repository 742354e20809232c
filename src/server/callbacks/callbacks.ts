import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Metric } from "prom-client";
import type { AccountType } from "../../shared/api/callbacks.ts";
import type { CallbackConfig } from "../config.ts";
import type { Database, Db } from "../database/database.ts";
import { systemChance, type Chance } from "../lib/chance.ts";
import type { Clock } from "../lib/clock.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import type { SealedBox } from "../lib/sealed-box.ts";
import { PeriodicWorker, type Worker } from "../lib/worker.ts";
import { readDomainUsers } from "./account-store.ts";
import { AccountConfigs } from "./account-configs.ts";
import { CallbackAccounts } from "./accounts.ts";
import type { Action } from "./actions/action.ts";
import { attempt } from "./attempt.ts";
import { Claims } from "./claims.ts";
import { Dispatcher, type DispatcherOptions } from "./dispatcher.ts";
import { CallbackMetrics } from "./metrics.ts";
import { mailChannel, webhookChannel, type NoticeMail } from "./notice-channels.ts";
import { Notifier, type NoticeChannel } from "./notifier.ts";
import { Occasions, type Rules } from "./occasions.ts";
import { Outbox } from "./outbox.ts";
import { Rehearsal } from "./rehearsal.ts";
import { RunRetention } from "./retention.ts";
import { RunNews } from "./run-news.ts";
import { CallbackService } from "./service.ts";
import { Settler, type Ended } from "./settler.ts";
import { CallbackTasks } from "./tasks.ts";
import { readUsers } from "./task-store.ts";

/** What a caller may put in place of the real thing. */
export interface CallbackOptions {
  chance?: Chance;
  dispatcher?: Partial<DispatcherOptions>;
}

export interface CallbackGround {
  config: { callbacks: CallbackConfig; instance: string };
  database: Database;
  clock: Clock;
  logger: Logger;
  options: CallbackOptions;
  http: OutgoingHttp;
  box: SealedBox;
  actions: ReadonlyMap<AccountType, Action>;
  /** Asked when a rule is needed. */
  rules: Rules;
  /** Undefined: no mail is sent. */
  enqueueMail: ((mail: NoticeMail) => void) | undefined;
  /** Where people reach the service. */
  baseUrl: () => string;
}

/** A run belongs to a process for that long, and longer as long as the process lives. */
const LEASE_MS = 30_000;
/** What a notice that is being sent may take of the time that the whole service has to stop. */
const LAST_NOTICE_MS = 500;
const NOTICES_EVERY_MS = 2_000;
const RETENTION_EVERY_MS = 600_000;

/** What keeps targets in step with mappings, from the outbox to the history. */
export class Callbacks implements Part {
  readonly name = "callbacks";
  readonly outbox: Outbox;
  readonly accounts: CallbackAccounts;
  readonly tasks: CallbackTasks;
  readonly service: CallbackService;
  readonly metrics: Metric[];
  readonly #dispatcher: Dispatcher;
  readonly #notifier: Notifier;
  readonly #retention: RunRetention;
  readonly #workers: Worker[];

  constructor(ground: CallbackGround) {
    const { config, database, clock, logger, http } = ground;
    const { historyDays: days, historyRuns: runs } = config.callbacks;
    const configs = new AccountConfigs(ground.actions, ground.box);
    const occasions = new Occasions(ground.rules, clock);
    const rehearsal = new Rehearsal({ configs, http, clock });
    const news = new RunNews(database.db, logger);
    const { dispatcher, metrics } = createDispatcher(ground, configs, news);
    this.#dispatcher = dispatcher;
    this.metrics = metrics.list();
    this.outbox = new Outbox(() => {
      dispatcher.wake();
      news.look();
    });
    this.accounts = new CallbackAccounts({ database, clock, configs, occasions, rehearsal });
    this.tasks = new CallbackTasks({ database, clock });
    this.service = new CallbackService({ database, clock, occasions, rehearsal, dispatcher, news });
    this.#notifier = new Notifier({ ...ground, channels: channelsOf(ground) });
    this.#retention = new RunRetention({ db: database.db, clock, days, runs });
    this.#workers = [
      new PeriodicWorker("notices", NOTICES_EVERY_MS, () => this.#notifier.tick(), logger),
      new PeriodicWorker("old runs", RETENTION_EVERY_MS, () => this.#retention.run(), logger),
    ];
  }

  async start(): Promise<void> {
    await this.#dispatcher.start();
    for (const worker of this.#workers) worker.start();
  }

  async stop(): Promise<void> {
    await this.#dispatcher.stop();
    const stopped = Promise.all(this.#workers.map((worker) => worker.stop()));
    await Promise.race([stopped, sleep(LAST_NOTICE_MS, undefined, { ref: false })]);
  }

  /** The names of the tasks that watch a rule. */
  async tasksOfRule(ruleId: number, transaction: Db): Promise<string[]> {
    const tasks = await readUsers(transaction, "stun_rule_id", ruleId);
    return tasks.map((task) => task.name);
  }

  /** The names of the accounts that keep records of a domain account in step. */
  usersOfDomainAccount(id: number, transaction: Db): Promise<string[]> {
    return readDomainUsers(transaction, id);
  }

  /** Resolves when nothing that was due is under way any more. */
  idle(): Promise<void> {
    return this.#dispatcher.idle();
  }

  /** Prolongs the leases of what is under way. */
  renew(): Promise<void> {
    return this.#dispatcher.renew();
  }

  /** Does now what the workers do by time, and waits for what is due. */
  async runWorkersOnce(): Promise<void> {
    this.#dispatcher.wake();
    await this.#dispatcher.idle();
    await this.#notifier.tick();
    await this.#retention.run();
  }
}

function createDispatcher(ground: CallbackGround, configs: AccountConfigs, news: RunNews) {
  const { config, database, clock, logger, options, http } = ground;
  const { chance = systemChance } = options;
  const owner = `${config.instance}:${randomUUID()}`;
  const metrics = new CallbackMetrics({
    db: database.db,
    clock,
    logger,
    active: () => dispatcher.active,
  });
  const settler = new Settler({
    database,
    clock,
    chance,
    owner,
    logger,
    onSettled: (ended) => {
      metrics.count(ended);
      for (const each of ended) logEnd(logger, each);
      dispatcher.settled(ended);
      news.look();
    },
  });
  const trying = { configs, http, clock, elapsed: () => performance.now(), logger };
  const dispatcher: Dispatcher = new Dispatcher({
    claims: new Claims({ database, clock, owner, leaseMs: LEASE_MS }),
    settler,
    attempt: (claim, signal) => {
      news.look();
      return attempt(trying, claim, signal);
    },
    clock,
    logger,
    leaseMs: LEASE_MS,
    options: options.dispatcher ?? {},
  });
  return { dispatcher, metrics };
}

function logEnd(logger: Logger, { run, result, status }: Ended): void {
  const level = status === "failed" ? "info" : "debug";
  const about = { run: run.id, task: run.task.name, attempt: run.attempts, status };
  logger[level]({ ...about, reason: result.error }, "a try of a callback run has ended");
}

function channelsOf({ config, http, enqueueMail }: CallbackGround): NoticeChannel[] {
  const { noticeWebhookUrl: url, noticeMailTo: to } = config.callbacks;
  return [
    ...(url === undefined ? [] : [webhookChannel(url, http)]),
    ...(to === undefined || !enqueueMail ? [] : [mailChannel(to, enqueueMail)]),
  ];
}
