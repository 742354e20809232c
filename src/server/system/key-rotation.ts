import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { SealedBox } from "../lib/sealed-box.ts";
import { recordAudit } from "./audit.ts";
import { countSealed, sealAnew, type SealedAccounts } from "./sealed-accounts.ts";
import { newSecretKey, toSealKey, type SecretKeyPlace } from "./secret-key.ts";

export interface KeyRotationParts {
  database: Database;
  clock: Clock;
  place: SecretKeyPlace;
  accounts: readonly SealedAccounts[];
}

export interface KeyRotated {
  /** Of the key that seals everything now. */
  keyId: string;
  /** Fields that are sealed, and how many of them another key had sealed. */
  sealed: number;
  sealedAnew: number;
  /** Of the keys that are not needed any more. */
  olderKeyIds: string[];
}

/** Why nothing was changed. The message is a sentence for the operator. */
export class KeyRotationRefused extends Error {}

/**
 * Seals all stored credentials by the first of the configured keys; where the key is a file in the
 * data folder, by a new one that is put there. It may be ended at any time: until the last step every
 * key is kept that has sealed anything, and the next call goes on from there.
 * @throws KeyRotationRefused, SealError, ConfigError
 */
export async function rotateKey(parts: KeyRotationParts): Promise<KeyRotated> {
  const { database, place } = parts;
  await refuseCompany(database, database.db);
  const known = await place.read();
  const before = await countSealed(database.db, boxOf(known), parts.accounts);
  refuseUnknown(before, boxOf(known));
  const keys = await withNewKey(place, known);
  const [current, ...older] = keys.map((key) => toSealKey(key).id) as [string, ...string[]];
  const sealed = [...before.values()].reduce((sum, count) => sum + count, 0);
  const result = {
    keyId: current,
    sealed,
    sealedAnew: sealed - (before.get(current) ?? 0),
    olderKeyIds: older,
  };
  await database.db.transaction().execute((tx) => sealAll(tx, parts, keys, result));
  await place.write?.([keys[0]]);
  return result;
}

/** A file whose second key is still there was left by a rotation that did not come to its end. */
async function withNewKey(
  place: SecretKeyPlace,
  known: [string, ...string[]],
): Promise<[string, ...string[]]> {
  if (known.length > 1) return known;
  if (!place.write) {
    throw new KeyRotationRefused(
      `${place.name} holds one key only: put a new one of at least 32 characters in front of it, with a space between them`,
    );
  }
  const keys: [string, ...string[]] = [newSecretKey(), ...known];
  await place.write(keys);
  return keys;
}

/** No service can start meanwhile: it would wait here to bring the schema up to date. */
async function sealAll(
  tx: Db,
  { database, clock, accounts }: KeyRotationParts,
  keys: [string, ...string[]],
  { keyId, sealedAnew }: KeyRotated,
): Promise<void> {
  await database.dialect.lockForMigration(tx);
  await refuseCompany(database, tx);
  await sealAnew(tx, boxOf(keys), accounts);
  const actor = { id: null, name: "waypost rotate-key" };
  const details = { sealed_anew: sealedAnew };
  await recordAudit(tx, clock, actor, "secret_key.rotate", `secret_key:${keyId}`, details);
}

/** A service goes on sealing by the key that it has read at its start. */
async function refuseCompany({ dialect }: Database, db: Db): Promise<void> {
  if ((await dialect.countOtherProcesses(db)) === 0) return;
  throw new KeyRotationRefused(
    "Another Waypost process uses this database: stop it first, it would not know the new key",
  );
}

function refuseUnknown(counts: ReadonlyMap<string, number>, box: SealedBox): void {
  const missing = [...counts.keys()].filter((id) => !box.knows(id));
  if (missing.length === 0) return;
  throw new KeyRotationRefused(
    `Credentials are sealed with a key that is missing here: ${missing.join(", ")}`,
  );
}

function boxOf([first, ...rest]: readonly [string, ...string[]]): SealedBox {
  return new SealedBox([toSealKey(first), ...rest.map(toSealKey)]);
}
