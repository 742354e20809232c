import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadConfig } from "../config.ts";
import { sealedAccounts } from "../holes.ts";
import { openProgress } from "../lib/progress.ts";
import { restoreBackup, RestoreRefused, type Restored } from "../system/restore.ts";
import { CommandFailed, UsageError, type Command, type Terminal } from "./command.ts";

const options = { "without-secrets": { type: "boolean" }, json: { type: "boolean" } } as const;

export const restore: Command = {
  name: "restore",
  summary: "put a backup into an empty data folder",
  help: `Usage: waypost restore [--without-secrets] [--json] <file>

Puts a file that "waypost backup" has made into the data folder that the settings name,
which must be empty, after it has checked everything in it. A backup of an older version
is brought up to date when the service starts; one of a newer version is refused.

Stored credentials need the key that has sealed them: in WAYPOST_SECRET_KEY, as the file
secret-key in the data folder, or in the backup itself. Without it nothing is restored.

  --without-secrets   restore all the same, and list the accounts whose credentials have
                      to be entered again
  --json              the result as JSON

Ends with 0 when done, 1 when that was not possible, 2 when called in a wrong way.`,
  async run(parameters, terminal) {
    const { values, positionals } = parseArgs({
      args: [...parameters],
      options,
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError("restore takes one file");
    const archive = resolve(terminal.directory, file);
    const restored = await bringBack(archive, values["without-secrets"] === true, terminal);
    const lines = values.json ? [toJson(restored)] : toWords(restored);
    for (const line of lines) terminal.out(line);
    return 0;
  },
};

async function bringBack(
  archive: string,
  withoutSecrets: boolean,
  terminal: Terminal,
): Promise<Restored> {
  const config = loadConfig(terminal.environment, terminal.directory);
  const { database, dataDir, secretKeys } = config;
  if (database.dialect === "postgres") {
    throw new UsageError(
      "The settings name PostgreSQL: restore it with pg_restore; docs/operations.md says how",
    );
  }
  const progress = openProgress(terminal.notices);
  try {
    return await restoreBackup({
      archive,
      dataDir,
      database: database.file,
      secretKeys,
      withoutSecrets,
      accounts: sealedAccounts,
      progress,
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof RestoreRefused) throw new CommandFailed(message);
    if (code === "ENOSPC") throw new CommandFailed(`The disk is full; nothing was restored`);
    if (code?.startsWith("E") && !code.startsWith("ERR_")) {
      throw new CommandFailed(`Nothing was restored: ${message}`);
    }
    throw error;
  } finally {
    progress.end();
  }
}

function toWords({ manifest, closed }: Restored): string[] {
  const lines = [`The backup of ${manifest.at} is restored; the service can start`];
  if (closed.length === 0) return lines;
  return [
    ...lines,
    "These accounts have to be given their credentials again:",
    ...closed.map(({ kind, name }) => `  ${kind} ${name}`),
  ];
}

function toJson({ manifest, closed }: Restored): string {
  const accounts = closed.map(({ kind, name, keyIds }) => ({ kind, name, key_ids: keyIds }));
  return JSON.stringify({ ...manifest, accounts_without_secrets: accounts }, null, 2);
}
