import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadConfig, type Config } from "../config.ts";
import { DatabaseOpenError, openDatabase } from "../database/database.ts";
import { SchemaTooNewError } from "../database/migrate.ts";
import { sealedAccounts } from "../holes.ts";
import { systemClock } from "../lib/clock.ts";
import { createLogger } from "../lib/logger.ts";
import { SealError } from "../lib/sealed-box.ts";
import { KeyRotationRefused, rotateKey, type KeyRotated } from "../system/key-rotation.ts";
import { secretKeyPlace } from "../system/secret-key.ts";
import { CommandFailed, type Command } from "./command.ts";

export const rotateKeyCommand: Command = {
  name: "rotate-key",
  summary: "seal the stored credentials by a new key",
  help: `Usage: waypost rotate-key [--json]

Seals the credentials of callback and domain accounts anew, so that the key that has
sealed them is not needed any more. It has the settings of the service, which must not
run meanwhile.

Where the key is a file in the data folder, a new one is made and takes its place. Where
it is WAYPOST_SECRET_KEY, put a new key of at least 32 characters in front of the old one,
with a space between them, call this, and take the old one out.

It may be interrupted: call it again, and it goes on. A backup from before needs the key
from before.

  --json   the result as JSON

Ends with 0 when everything is sealed by the new key, 1 when that could not be done, 2
when called in a wrong way.`,
  async run(parameters, terminal) {
    const { values } = parseArgs({ args: [...parameters], options: { json: { type: "boolean" } } });
    const config = loadConfig(terminal.environment, terminal.directory);
    const rotated = await rotate(config);
    const lines = values.json ? [toJson(rotated)] : toWords(rotated, config);
    for (const line of lines) terminal.out(line);
    return 0;
  },
};

async function rotate(config: Config): Promise<KeyRotated> {
  const { database: target } = config;
  if (target.dialect === "sqlite" && !existsSync(target.file)) {
    throw new CommandFailed(`There is no database at ${target.file}`);
  }
  try {
    const database = await openDatabase(target, systemClock, createLogger(config.logLevel));
    try {
      const place = secretKeyPlace(config);
      return await rotateKey({ database, clock: systemClock, place, accounts: sealedAccounts });
    } finally {
      await database.close();
    }
  } catch (error) {
    if (isForOperator(error)) throw new CommandFailed(error.message);
    throw error;
  }
}

function isForOperator(error: unknown): error is Error {
  const kinds = [DatabaseOpenError, SchemaTooNewError, KeyRotationRefused, SealError];
  return kinds.some((kind) => error instanceof kind);
}

function toJson({ keyId, sealed, sealedAnew, olderKeyIds }: KeyRotated): string {
  const result = {
    key_id: keyId,
    sealed,
    sealed_anew: sealedAnew,
    older_key_ids: olderKeyIds,
  };
  return JSON.stringify(result, null, 2);
}

function toWords(rotated: KeyRotated, config: Config): string[] {
  const { keyId, sealed, sealedAnew, olderKeyIds } = rotated;
  const place = secretKeyPlace(config);
  const older = olderKeyIds.join(", ");
  return [
    `All ${sealed} stored secrets are sealed by the key ${keyId}, ${sealedAnew} of them anew`,
    place.write
      ? `It stands in ${place.name}; the one from before, ${older}, is needed for older backups only`
      : `Take what stands behind it out of ${place.name}: ${older} is needed for older backups only`,
  ];
}
