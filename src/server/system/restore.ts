import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../config.ts";
import { openAsItIs } from "../database/database.ts";
import { appliedMigrations, unknownMigrations } from "../database/migrate.ts";
import { flawOfSqlite } from "../database/snapshot-sqlite.ts";
import type { Progress } from "../lib/progress.ts";
import { toSecretKeys } from "../setting-values.ts";
import { ArchiveError, describePart, unpackArchive } from "./backup-archive.ts";
import { DATABASE, MANIFEST, parseManifest, type BackupManifest } from "./backup-manifest.ts";
import { flush, withDraftFolder } from "./draft-folder.ts";
import { JWT_SECRET_FILE } from "./jwt-secret.ts";
import type { SealedAccounts } from "./sealed-accounts.ts";
import { listSealed, type SealedAccount } from "./sealed-in-backup.ts";
import { replaceSecretFile } from "./secret-file.ts";
import { SECRET_KEY_FILE, toSealKey } from "./secret-key.ts";

export interface RestoreOrder {
  archive: string;
  /** Empty, but for secrets that were put there for this. */
  dataDir: string;
  /** The SQLite file that will be there. */
  database: string;
  /** The configured keys. */
  secretKeys: Config["secretKeys"];
  /** Whether credentials may be there afterwards that nobody can open. */
  withoutSecrets: boolean;
  accounts: readonly SealedAccounts[];
  progress: Progress;
}

export interface Restored {
  manifest: BackupManifest;
  /** Accounts whose credentials cannot be opened: they have to be given again. */
  closed: SealedAccount[];
}

/** Nothing was restored. The message is a sentence. */
export class RestoreRefused extends Error {}

const secretFiles: readonly string[] = [JWT_SECRET_FILE, SECRET_KEY_FILE];
const partNames = new Set([DATABASE, ...secretFiles]);
const DRAFT = ".waypost-restore-";

/**
 * Puts what a backup holds into an empty data folder, after everything about it has been checked.
 * @throws RestoreRefused, ConfigError; a failure of the system as it is
 */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  await requireEmpty(order);
  await mkdir(order.dataDir, { recursive: true, mode: 0o700 });
  await mkdir(dirname(order.database), { recursive: true, mode: 0o700 });
  // Beside the place of the database, so that it gets there by a new name alone.
  return withDraftFolder(dirname(order.database), DRAFT, async (draft) => {
    const manifest = await unpack(order, draft);
    const closed = await inspect(order, draft, manifest);
    for (const name of secretFiles) {
      const file = join(draft, name);
      if (!existsSync(file) || existsSync(join(order.dataDir, name))) continue;
      // By its text: the data folder may be on another disk than the database.
      await replaceSecretFile(order.dataDir, name, (await readFile(file, "utf8")).trim());
    }
    await rename(join(draft, DATABASE), order.database);
    await flush(dirname(order.database));
    return { manifest, closed };
  });
}

async function requireEmpty({ dataDir, database }: RestoreOrder): Promise<void> {
  if (existsSync(database)) {
    throw new RestoreRefused(`There is a database at ${database} already; choose an empty folder`);
  }
  // SQLite would take it for a part of what is restored.
  const left = ["-wal", "-journal"].map((end) => database + end).find((file) => existsSync(file));
  if (left !== undefined) {
    throw new RestoreRefused(`There is ${left}, which another database has left; take it away`);
  }
  const names = existsSync(dataDir) ? await readdir(dataDir) : [];
  // A restore that was killed leaves its draft.
  const others = names.filter((name) => !secretFiles.includes(name) && !name.startsWith(DRAFT));
  if (others.length === 0) return;
  throw new RestoreRefused(`${dataDir} is not empty: there is ${others[0]}`);
}

/** The files are in `draft` afterwards, and are those that were backed up. */
async function unpack(order: RestoreOrder, draft: string): Promise<BackupManifest> {
  const { archive, progress } = order;
  progress.begin("Unpacking the backup");
  const { size } = await stat(archive);
  let done = 0;
  const names = new Set([MANIFEST, ...partNames]);
  try {
    await unpackArchive(archive, draft, names, (bytes) => progress.show((done += bytes), size));
  } catch (error) {
    if (error instanceof ArchiveError) throw new RestoreRefused(`${archive} ${error.message}`);
    throw error;
  }
  progress.end();
  const text = existsSync(join(draft, MANIFEST))
    ? await readFile(join(draft, MANIFEST), "utf8")
    : "";
  const manifest = parseManifest(text);
  if (!manifest) throw new RestoreRefused(`${archive} is no backup that this version can read`);
  const present = (await readdir(draft)).filter((name) => name !== MANIFEST);
  const named = manifest.parts.map(({ name }) => name);
  if (!named.includes(DATABASE) || named.toSorted().join() !== present.toSorted().join()) {
    throw new RestoreRefused(`${archive} is damaged: its parts are not those that it names`);
  }
  for (const part of manifest.parts) {
    const found = await describePart(draft, part.name);
    if (found.sha256 === part.sha256 && found.size_bytes === part.size_bytes) {
      await flush(join(draft, part.name));
      continue;
    }
    throw new RestoreRefused(`${archive} is damaged: ${part.name} is not what was backed up`);
  }
  return manifest;
}

/** @returns the accounts that stay closed */
async function inspect(
  order: RestoreOrder,
  draft: string,
  manifest: BackupManifest,
): Promise<SealedAccount[]> {
  const file = join(draft, DATABASE);
  const flaw = flawOfSqlite(file);
  if (flaw !== undefined) throw new RestoreRefused(`${order.archive} is damaged: ${flaw}`);
  const keyIds = await keyIdsAfterwards(order, draft);
  const database = await openAsItIs(file);
  try {
    const schema = await appliedMigrations(database.db);
    const [unknown] = unknownMigrations(schema);
    if (unknown !== undefined) {
      throw new RestoreRefused(
        `The backup was made by a newer version of Waypost (${manifest.version}, with ${unknown}); restore it with that version`,
      );
    }
    const sealed = await listSealed(database.db, order.accounts);
    const closed = sealed.filter((account) => account.keyIds.some((id) => !keyIds.has(id)));
    if (closed.length > 0 && !order.withoutSecrets) throw keysMissing(closed, keyIds);
    return closed;
  } finally {
    await database.close();
  }
}

/** Of the keys that the service will have: configured, in the folder, or in the backup. */
async function keyIdsAfterwards(order: RestoreOrder, draft: string): Promise<Set<string>> {
  const files = [order.dataDir, draft].map((folder) => join(folder, SECRET_KEY_FILE));
  const file = files.find((each) => existsSync(each));
  const keys =
    order.secretKeys ?? (file && toSecretKeys(file, (await readFile(file, "utf8")).trim())) ?? [];
  return new Set(Array.from(keys, (key) => toSealKey(key).id));
}

function keysMissing(closed: readonly SealedAccount[], known: ReadonlySet<string>): RestoreRefused {
  const ids = new Set(closed.flatMap(({ keyIds }) => keyIds).filter((id) => !known.has(id)));
  const names = closed.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  return new RestoreRefused(
    `Credentials in the backup are sealed with the key ${[...ids].join(", ")}, which is not here (${names}). ` +
      `Give it in WAYPOST_SECRET_KEY or as the file ${SECRET_KEY_FILE} in the data folder; or restore --without-secrets and enter the credentials again`,
  );
}
