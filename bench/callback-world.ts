import { pino } from "pino";
import { Agent } from "undici";
import { Callbacks } from "../src/server/callbacks/callbacks.ts";
import { listActions } from "../src/server/callbacks/actions/list.ts";
import type { DatabaseTarget } from "../src/server/config.ts";
import { openDatabase, type Database } from "../src/server/database/database.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import { SealedBox } from "../src/server/lib/sealed-box.ts";
import { toSealKey } from "../src/server/system/secret-key.ts";
import { openOutgoing } from "../test/support/outgoing.ts";

export const SIGNING_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
export const RULE = 1;
export const logger = pino({ level: "warn" });
const ROWS_AT_ONCE = 500;
const CALLER = { userId: 1, email: "bench@example.org", isAdmin: true };

/** Callbacks as the service has them, on a storage of their own. */
export interface CallbackBench {
  database: Database;
  callbacks: Callbacks;
  agent: Agent;
  close(): Promise<void>;
}

export async function openCallbacks(target: DatabaseTarget): Promise<CallbackBench> {
  const database = await openDatabase(target, systemClock, logger);
  const { http } = openOutgoing();
  const callbacks = new Callbacks({
    config: {
      instance: "bench",
      callbacks: {
        historyDays: 90,
        historyRuns: 1_000_000,
        noticeWebhookUrl: undefined,
        noticeMailTo: undefined,
      },
    },
    database,
    clock: systemClock,
    logger,
    options: {},
    http,
    box: new SealedBox([toSealKey("the key that seals what the bench of callbacks stores")]),
    actions: listActions({
      nodes: { connectionsOf: () => undefined, changeConnections: async () => undefined },
      domainAccount: undefined,
    }),
    rules: { get: () => Promise.reject(new Error("the bench asks for no rule")) },
    enqueueMail: undefined,
    baseUrl: () => "http://127.0.0.1",
  });
  return {
    database,
    callbacks,
    agent: new Agent({ connections: null, pipelining: 1 }),
    close: async () => {
      await callbacks.stop();
      await http.stop();
      await database.close();
    },
  };
}

/** A rule with a mapping, one webhook account, and tasks that send every change there. */
export async function seedTasks(
  { database, callbacks }: CallbackBench,
  url: string,
  tasks: number,
): Promise<void> {
  const { db } = database;
  await db
    .insertInto("stun_rules")
    .values({
      name: "bench",
      enabled: 1,
      transport: "udp",
      local_address: null,
      local_port: 0,
      stun_servers: "[]",
      keepalive_hosts: "[]",
      probe_interval_seconds: 20,
      settle_seconds: 3,
      forward_to: null,
      trigger_callbacks: 1,
      instance: "bench",
      revision: 1,
      created_at: 0,
    })
    .execute();
  await db
    .insertInto("stun_mappings")
    .values({ rule_id: RULE, public_ip: "203.0.113.7", public_port: 1, at: 0 })
    .execute();
  const config = { url, signing_secret: SIGNING_SECRET };
  const { id: account } = await callbacks.accounts.create(CALLER, {
    name: "bench",
    type: "webhook",
    config,
  });
  for (let first = 1; first <= tasks; first += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, tasks - first + 1);
    const rows = Array.from({ length: count }, (_, n) => ({
      name: `task ${first + n}`,
      enabled: 1,
      trigger: "stun_ip_or_port_change",
      stun_rule_id: RULE,
      account_id: account,
      created_at: 0,
      updated_at: 0,
    }));
    await db.insertInto("callback_tasks").values(rows).execute();
  }
}

/** Milliseconds of the clock that all processes of the machine share. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
