import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "../config.ts";
import { sealedAccounts } from "../holes.ts";
import { systemClock, toIso } from "../lib/clock.ts";
import { openProgress } from "../lib/progress.ts";
import { noteBackup } from "../system/backup-note.ts";
import { BackupFailed, makeBackup, type BackupMade } from "../system/backup.ts";
import { VERSION } from "../version.ts";
import { CommandFailed, UsageError, type Command, type Terminal } from "./command.ts";

const options = { "with-secrets": { type: "boolean" }, json: { type: "boolean" } } as const;

export const backup: Command = {
  name: "backup",
  summary: "copy the data of a service, also while it runs, to one file",
  help: `Usage: waypost backup [--with-secrets] [--json] <file or folder>

Copies the SQLite database that the settings name to one file, which appears when it is
whole. Everything that was acknowledged before is in it. The service may run meanwhile.
In a folder the file is named by the time. PostgreSQL has its own tools for this; see
docs/operations.md.

The file holds password hashes and addresses of people: keep it like the data folder. The
secrets that the service has generated, jwt-secret and secret-key, are not in it: keep a
copy of secret-key elsewhere, or no stored credential can be read after a restore.

  --with-secrets   put these two secrets into the file, too
  --json           the result as JSON

Ends with 0 when done, 1 when that was not possible, 2 when called in a wrong way.`,
  async run(parameters, terminal) {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      options,
      allowPositionals: true,
    });
    const [place, ...more] = positionals;
    if (place === undefined || more.length > 0) throw new UsageError("backup takes one file");
    const withSecrets = values["with-secrets"] === true;
    const target = toTarget(resolve(terminal.directory, place));
    const made = await make(target, withSecrets, terminal);
    for (const line of values.json ? [toJson(target, made)] : toWords(target, made)) {
      terminal.out(line);
    }
    if (withSecrets) {
      const warning = "Whoever has this file can sign sessions and open the stored credentials.";
      terminal.notices.write(`${warning}\n`);
    }
    return 0;
  },
};

async function make(target: string, withSecrets: boolean, terminal: Terminal): Promise<BackupMade> {
  const { database, dataDir } = loadConfig(terminal.environment, terminal.directory);
  if (database.dialect === "postgres") {
    throw new UsageError(
      "The data is in PostgreSQL: back it up with pg_dump or pg_basebackup, and keep secret-key beside it; docs/operations.md says how",
    );
  }
  if (!existsSync(database.file)) {
    throw new CommandFailed(`There is no database at ${database.file}; see WAYPOST_DATA_DIR`);
  }
  const progress = openProgress(terminal.notices);
  const at = toIso(systemClock.now());
  try {
    const made = await makeBackup({
      dataDir,
      database: database.file,
      target,
      withSecrets,
      accounts: sealedAccounts,
      version: VERSION,
      progress,
    });
    await note(dataDir, { at, size_bytes: made.sizeBytes }, terminal);
    return made;
  } catch (error) {
    throw error instanceof BackupFailed ? new CommandFailed(error.message) : error;
  } finally {
    progress.end();
  }
}

/** The service tells of the age of the last backup. Without that, the backup is as good. */
async function note(
  dataDir: string,
  what: Parameters<typeof noteBackup>[1],
  terminal: Terminal,
): Promise<void> {
  try {
    await noteBackup(dataDir, what);
  } catch (error) {
    const { message } = error as Error;
    terminal.notices.write(`The service cannot tell of this backup in its metrics: ${message}\n`);
  }
}

/** A folder gets a file named by the second. */
function toTarget(place: string): string {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place;
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return join(place, `waypost-${time}.tar.gz`);
}

function toWords(target: string, { manifest, sizeBytes }: BackupMade): string[] {
  const lines = [`${target} is made, ${Math.ceil(sizeBytes / 1000)} kB`];
  if (manifest.key_ids.length > 0 && !manifest.parts.some(({ name }) => name === "secret-key")) {
    lines.push(`Restoring it needs the secret key ${manifest.key_ids.join(", ")}`);
  }
  return lines;
}

function toJson(target: string, { manifest, sizeBytes }: BackupMade): string {
  return JSON.stringify({ file: target, size_bytes: sizeBytes, ...manifest }, null, 2);
}
