import { existsSync } from "node:fs";
import { copyFile, link, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../config.ts";
import { openAsItIs } from "../database/database.ts";
import { appliedMigrations } from "../database/migrate.ts";
import { flawOfSqlite, snapshotSqlite } from "../database/snapshot-sqlite.ts";
import { systemClock, toIso } from "../lib/clock.ts";
import type { Progress } from "../lib/progress.ts";
import { describePart, packArchive } from "./backup-archive.ts";
import { DATABASE, newManifest, type BackupManifest } from "./backup-manifest.ts";
import { flush, withDraftFolder } from "./draft-folder.ts";
import { JWT_SECRET_FILE } from "./jwt-secret.ts";
import type { SealedAccounts } from "./sealed-accounts.ts";
import { listSealed } from "./sealed-in-backup.ts";
import { SECRET_KEY_FILE } from "./secret-key.ts";

export interface BackupOrder {
  /** Of the service, which may run meanwhile. */
  dataDir: Config["dataDir"];
  /** The SQLite file. */
  database: string;
  /** The file to make, which must not exist. */
  target: string;
  /** Whether the secrets that the service has generated go with it. */
  withSecrets: boolean;
  accounts: readonly SealedAccounts[];
  version: string;
  progress: Progress;
}

export interface BackupMade {
  manifest: BackupManifest;
  sizeBytes: number;
}

/** The backup was not made. The message is a sentence. */
export class BackupFailed extends Error {}

/**
 * Copies database and, when asked, secrets to one file, which appears whole or not at all. All that was
 * acknowledged before the call is in it.
 * @throws BackupFailed
 */
export async function makeBackup(order: BackupOrder): Promise<BackupMade> {
  const { target } = order;
  try {
    return await withDraftFolder(dirname(target), ".waypost-backup-", (draft) =>
      make(order, draft),
    );
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new BackupFailed(`${target} exists already; it was left as it is`);
    if (code === "ENOENT" && !existsSync(dirname(target))) {
      throw new BackupFailed(`There is no folder ${dirname(target)}`);
    }
    if (code === "ENOSPC" || code === "SQLITE_FULL") {
      throw new BackupFailed(`The disk that holds ${dirname(target)} is full; no backup was made`);
    }
    if (/^(E|SQLITE_)/.test(code)) throw new BackupFailed(`No backup was made: ${message}`);
    throw error;
  }
}

async function make(order: BackupOrder, draft: string): Promise<BackupMade> {
  const { database, dataDir, target, withSecrets, progress } = order;
  progress.begin("Copying the database");
  await snapshotSqlite(database, join(draft, DATABASE), (done, all) => progress.show(done, all));
  const flaw = flawOfSqlite(join(draft, DATABASE));
  if (flaw !== undefined) throw new BackupFailed(`The database is damaged: ${flaw}`);
  const names = [DATABASE];
  if (withSecrets) {
    for (const name of [JWT_SECRET_FILE, SECRET_KEY_FILE]) {
      if (await copyWhenThere(join(dataDir, name), join(draft, name))) names.push(name);
    }
  }
  const manifest = await describe(order, draft, names);
  const archive = join(draft, basename(target));
  await pack(draft, manifest, archive, progress);
  await putInPlace(archive, target);
  await flush(dirname(target));
  return { manifest, sizeBytes: (await stat(target)).size };
}

async function describe(
  { version, accounts }: BackupOrder,
  draft: string,
  names: readonly string[],
): Promise<BackupManifest> {
  const copy = await openAsItIs(join(draft, DATABASE));
  try {
    const sealed = await listSealed(copy.db, accounts);
    return newManifest({
      version,
      at: toIso(systemClock.now()),
      schema: await appliedMigrations(copy.db),
      key_ids: [...new Set(sealed.flatMap(({ keyIds }) => keyIds))].toSorted(),
      parts: await Promise.all(names.map((name) => describePart(draft, name))),
    });
  } finally {
    await copy.close();
  }
}

async function pack(
  draft: string,
  manifest: BackupManifest,
  archive: string,
  progress: Progress,
): Promise<void> {
  progress.begin("Packing it");
  const total = manifest.parts.reduce((sum, part) => sum + part.size_bytes, 0);
  let done = 0;
  await packArchive(draft, manifest, archive, (size) => progress.show((done += size), total));
  progress.end();
}

/** What file systems say on which a file has one name only, as that of a memory stick. */
const oneNameOnly: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "ENOSYS"]);

/** Never in the place of another file. */
async function putInPlace(archive: string, target: string): Promise<void> {
  try {
    await link(archive, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!oneNameOnly.has(code)) throw error;
    if (existsSync(target)) throw Object.assign(new Error("there is one"), { code: "EEXIST" });
    await rename(archive, target);
  }
}

/** @returns whether it was there */
async function copyWhenThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
