import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { recordAudit } from "../system/audit.ts";
import type { Actor } from "./caller.ts";
import * as store from "./store.ts";
import type { User } from "./user.ts";

export interface RightsChange {
  isAdmin?: boolean | undefined;
  disabled?: boolean | undefined;
}

/**
 * A demotion and a disabling end every session of the account.
 * @throws AppError not_found, last_administrator
 */
export async function changeRights(
  database: Database,
  clock: Clock,
  actor: Actor,
  id: number,
  change: RightsChange,
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    const others = await lockOtherAdministrators(database, tx, id);
    const user = await lockExisting(database, tx, id);
    const rights = {
      isAdmin: change.isAdmin ?? user.isAdmin,
      disabled: change.disabled ?? user.disabled,
    };
    const changed = differences(user, rights);
    if (Object.keys(changed).length === 0) return;
    const loses = (user.isAdmin && !rights.isAdmin) || (!user.disabled && rights.disabled);
    if (loses) {
      if (canAdminister(user) && others === 0) throw lastAdministrator();
      await store.endSessions(tx, id);
    }
    await store.setRights(tx, id, rights);
    await recordAudit(tx, clock, actor, "user.update", `user:${id}`, {
      email: user.email,
      ...changed,
    });
  });
}

/** How many others could still administer; two who take away rights at once take turns. */
export async function lockOtherAdministrators(
  { dialect }: Database,
  tx: Db,
  id: number,
): Promise<number> {
  const acting = await store.lockActingAdministrators(tx, dialect);
  return acting.filter((each) => each !== id).length;
}

/** @throws AppError not_found */
export async function lockExisting({ dialect }: Database, tx: Db, id: number): Promise<User> {
  const user = await store.lockUser(tx, dialect, id);
  if (!user) throw noSuchUser();
  return user;
}

export function canAdminister(user: User): boolean {
  return user.isAdmin && user.verified && !user.disabled;
}

function differences(
  user: User,
  rights: { isAdmin: boolean; disabled: boolean },
): Record<string, boolean> {
  return {
    ...(rights.isAdmin === user.isAdmin ? {} : { is_admin: rights.isAdmin }),
    ...(rights.disabled === user.disabled ? {} : { disabled: rights.disabled }),
  };
}

export function noSuchUser(): AppError {
  return new AppError("not_found", "There is no account with this id");
}

export function lastAdministrator(): AppError {
  return new AppError(
    "last_administrator",
    "This is the last administrator; make somebody else one first",
  );
}
