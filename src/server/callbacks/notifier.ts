import type { Database } from "../database/database.ts";
import { DAY_MS, MINUTE_MS, type Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { noteTold, postponeAlerts, takeDueAlerts, type Alert } from "./alert-store.ts";
import { toNotice, type Notice } from "./notice.ts";

/** Hands a notice over. Rejects when that was in vain. */
export interface NoticeChannel {
  readonly name: string;
  send(notice: Notice): Promise<void>;
}

export interface NotifierParts {
  database: Database;
  clock: Clock;
  channels: readonly NoticeChannel[];
  /** Where people reach the service. */
  baseUrl: () => string;
  logger: Logger;
}

/** Between two notices: what happens meanwhile is told in one. */
const PAUSE_MS = MINUTE_MS;
const LEASE_MS = 2 * MINUTE_MS;
const AGAIN_MS = 5 * MINUTE_MS;
/** A notice that could not be sent for that long is no news. */
const GIVEN_UP_AFTER_MS = DAY_MS;
const ALERTS_AT_ONCE = 500;

/** Tells people which tasks have begun to fail and which have recovered. */
export class Notifier {
  readonly #parts: NotifierParts;
  #lastSentAt = Number.NEGATIVE_INFINITY;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
  }

  /** Sends one notice of all that is to be told, if it is time. */
  async tick(): Promise<void> {
    const { database, clock, channels } = this.#parts;
    const now = clock.now();
    if (channels.length === 0 || now - this.#lastSentAt < PAUSE_MS) return;
    const alerts = await database.db
      .transaction()
      .execute((tx) =>
        takeDueAlerts(tx, database.dialect, { now, leaseMs: LEASE_MS, limit: ALERTS_AT_ONCE }),
      );
    if (alerts.length === 0) return;
    this.#lastSentAt = now;
    if (await this.#send(alerts)) {
      await noteTold(database.db, alerts);
      return;
    }
    const stale = alerts.filter(({ at }) => now - at > GIVEN_UP_AFTER_MS);
    const fresh = alerts.filter((alert) => !stale.includes(alert));
    if (stale.length > 0) await noteTold(database.db, stale);
    if (fresh.length > 0) await postponeAlerts(database.db, fresh, now + AGAIN_MS);
  }

  /** @returns whether at least one channel has taken it */
  async #send(alerts: readonly Alert[]): Promise<boolean> {
    const { channels, baseUrl, logger } = this.#parts;
    const notice = toNotice(alerts, baseUrl());
    const results = await Promise.allSettled(channels.map((channel) => channel.send(notice)));
    for (const [index, result] of results.entries()) {
      if (result.status === "fulfilled") continue;
      const { message } = result.reason as Error;
      const channel = channels[index]?.name;
      logger.warn({ channel, reason: message }, "a notice of callbacks could not be sent");
    }
    return results.some(({ status }) => status === "fulfilled");
  }
}
