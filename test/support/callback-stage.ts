import type { Resolver } from "../../src/probe/sockets.ts";
import { Callbacks } from "../../src/server/callbacks/callbacks.ts";
import type { Action } from "../../src/server/callbacks/actions/action.ts";
import {
  domainAccount,
  type DomainDoor,
} from "../../src/server/callbacks/actions/domain-account.ts";
import { listActions } from "../../src/server/callbacks/actions/list.ts";
import type { DispatcherOptions } from "../../src/server/callbacks/dispatcher.ts";
import type { Database } from "../../src/server/database/database.ts";
import type { Clock } from "../../src/server/lib/clock.ts";
import { createLogger, type Logger } from "../../src/server/lib/logger.ts";
import type { OutgoingHttp } from "../../src/server/lib/outgoing-http.ts";
import { SealedBox } from "../../src/server/lib/sealed-box.ts";
import type { NoticeMail } from "../../src/server/callbacks/notice-channels.ts";
import { differences } from "../../src/server/stun/rule.ts";
import * as stunStore from "../../src/server/stun/store.ts";
import { withDefaults } from "../../src/server/stun/input.ts";
import { toSealKey } from "../../src/server/system/secret-key.ts";
import type { AccountType, Run } from "../../src/shared/api/callbacks.ts";
import { openOutgoing } from "./outgoing.ts";

export interface StageOptions {
  database: Database;
  clock: Clock;
  instance?: string;
  dispatcher?: Partial<DispatcherOptions>;
  /** In the place of real ones. */
  actions?: Partial<Record<AccountType, Action>>;
  logger?: Logger;
  historyRuns?: number;
  noticeWebhookUrl?: string;
  noticeMailTo?: string;
  enqueueMail?: (mail: NoticeMail) => void;
  /** Finds the addresses of targets; none unless told. */
  resolver?: Resolver;
  /** Around every exchange with a target. */
  wrapHttp?: (http: OutgoingHttp) => OutgoingHttp;
}

const noDomains: DomainDoor = {
  publish: () => Promise.reject(new Error("there are no domain accounts")),
  rehearse: () => Promise.reject(new Error("there are no domain accounts")),
  test: () => Promise.reject(new Error("there are no domain accounts")),
  hold: async () => false,
};
const CALLER = { userId: 1, email: "admin@example.com", isAdmin: true };
const ROWS_AT_ONCE = 500;
/** As the setting SECRET_KEY of a service that is to open what is stored here. */
export const SEAL_KEY = "the-key-that-seals-what-the-tests-of-callbacks-store";
let changes = 0;

/** Callbacks as the service has them, on a storage of the test, with changes that the test stores. */
export class CallbackStage {
  readonly callbacks: Callbacks;
  readonly database: Database;
  readonly #clock: Clock;
  readonly #http: OutgoingHttp;

  constructor(options: StageOptions) {
    const { database, clock, instance = "main", wrapHttp = (http) => http } = options;
    this.database = database;
    this.#clock = clock;
    this.#http = openOutgoing(options.resolver ? { resolver: options.resolver } : {}).http;
    const nodes = { connectionsOf: () => undefined, changeConnections: async () => undefined };
    const actions = new Map([
      ...listActions({ nodes, domainAccount: domainAccount(noDomains) }),
      ...(Object.entries(options.actions ?? {}) as [AccountType, Action][]),
    ]);
    this.callbacks = new Callbacks({
      config: {
        instance,
        callbacks: {
          historyDays: 90,
          historyRuns: options.historyRuns ?? 1_000_000,
          noticeWebhookUrl: options.noticeWebhookUrl,
          noticeMailTo: options.noticeMailTo,
        },
      },
      database,
      clock,
      logger: options.logger ?? createLogger("silent"),
      options: { chance: () => 0.5, dispatcher: options.dispatcher ?? {} },
      http: wrapHttp(this.#http),
      box: new SealedBox([toSealKey(SEAL_KEY)]),
      actions,
      rules: { get: () => Promise.reject(new Error("no rule is asked for")) },
      enqueueMail: options.enqueueMail,
      baseUrl: () => "http://waypost.example.org",
    });
  }

  /** A rule with a mapping, port 1. @returns its id */
  async addRule(name = "home"): Promise<number> {
    const { db } = this.database;
    const settings = withDefaults({ name, transport: "udp" }, "main");
    const id = await stunStore.insertRule(db, settings, 0);
    await this.change(id, 1);
    return id;
  }

  /** An account of a webhook unless `fields` say otherwise. @returns its id */
  async addAccount(
    url: string,
    fields: { name?: string; type?: AccountType; config?: object } = {},
  ): Promise<number> {
    const { name = "hook", type = "webhook", config = {} } = fields;
    const given = { name, type, config: { ...(type === "webhook" ? { url } : {}), ...config } };
    return (await this.callbacks.accounts.create(CALLER, given)).id;
  }

  /** Tasks that send every change of a rule to an account. */
  async addTasks(ruleId: number, accountId: number, count = 1, name = "task"): Promise<void> {
    for (let first = 1; first <= count; first += ROWS_AT_ONCE) {
      const length = Math.min(ROWS_AT_ONCE, count - first + 1);
      const rows = Array.from({ length }, (_, n) => ({
        name: `${name} ${first + n}`,
        enabled: 1,
        trigger: "stun_ip_or_port_change",
        stun_rule_id: ruleId,
        account_id: accountId,
        created_at: 0,
        updated_at: 0,
      }));
      await this.database.db.insertInto("callback_tasks").values(rows).execute();
    }
  }

  /** Stores a change of a rule's port as the watcher does; the runs are taken up soon. */
  async change(ruleId: number, port: number): Promise<void> {
    const { db, dialect } = this.database;
    const { outbox } = this.callbacks;
    const isChange = await db.transaction().execute(async (tx) => {
      const rule = await stunStore.lockRule(tx, dialect, ruleId);
      if (!rule) throw new Error(`there is no rule ${ruleId}`);
      const previous = await stunStore.lockMapping(tx, dialect, ruleId);
      const mapping = { address: "203.0.113.7", port };
      const change = {
        ruleId,
        mapping,
        previous,
        changed: previous ? differences(previous, mapping) : [],
        confirmedBy: [],
        at: this.#clock.now(),
      };
      const id = await stunStore.insertChange(tx, `${process.pid}-${(changes += 1)}`, change);
      if (previous) await outbox.onConfirmed({ id, ...change }, rule, tx);
      return previous !== null;
    });
    if (isChange) outbox.onStored();
  }

  /** Newest first. */
  runs(): Promise<Run[]> {
    return this.callbacks.service.list({}, { limit: 200 });
  }

  /** How many attempts are on record. */
  async attempts(): Promise<number> {
    const { count } = await this.database.db
      .selectFrom("callback_attempts")
      .select((e) => e.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return count;
  }

  async close(): Promise<void> {
    await this.callbacks.stop();
    await this.#http.stop();
  }
}
