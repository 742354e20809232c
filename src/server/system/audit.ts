import type { Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { actorOf, type Actor, type Caller } from "../users/caller.ts";

/** What was done, as `noun.verb`. */
export type AuditAction = `${string}.${string}`;

/**
 * Notes who changed what. Pass the transaction of the change itself, so that neither is stored
 * without the other. `details` must hold no secret.
 */
export async function recordAudit(
  db: Db,
  clock: Clock,
  actor: Actor,
  action: AuditAction,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await db
    .insertInto("audit")
    .values({
      at: clock.now(),
      actor_id: actor.id,
      actor: actor.name,
      action,
      subject,
      details: JSON.stringify(details),
    })
    .execute();
}

/** Notes what a caller did to one of them; see `recordAudit`. */
export type AuditTrail = (
  db: Db,
  caller: Caller,
  action: AuditAction,
  id: number,
  details: Record<string, unknown>,
) => Promise<void>;

/** For things of one kind, such as `stun_rule`; they stand in the log as `stun_rule:7`. */
export function auditTrail(kind: string, clock: Clock): AuditTrail {
  return (db, caller, action, id, details) =>
    recordAudit(db, clock, actorOf(caller), action, `${kind}:${id}`, details);
}
