import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Gauge, type Metric } from "prom-client";
import { Type, type Static } from "typebox";
import { Compile } from "typebox/compile";
import type { Logger } from "../lib/logger.ts";

const NOTE_FILE = "last-backup.json";

/** Stands in the data folder, for the service: a backup is made by another process. */
const Note = Type.Object({
  /** What was acknowledged before is in the backup; in ISO 8601. */
  at: Type.String({ format: "date-time" }),
  size_bytes: Type.Integer({ minimum: 0 }),
});
type BackupNote = Static<typeof Note>;

const compiled = Compile(Note);

/** Readable for whoever may enter the folder: a backup may be made by another user than the service's. */
export async function noteBackup(dataDir: string, note: BackupNote): Promise<void> {
  const file = join(dataDir, NOTE_FILE);
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, `${JSON.stringify(note)}\n`, { mode: 0o644, flag: "wx" });
  await rename(draft, file);
}

/** @returns undefined while none was made */
async function readNote(dataDir: string): Promise<BackupNote | undefined> {
  let text: string;
  try {
    text = await readFile(join(dataDir, NOTE_FILE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (!compiled.Check(value)) throw new Error(`${NOTE_FILE} is none of ours`);
  return value;
}

/** When `waypost backup` has last succeeded here, and how large that was; 0 until then. */
export function backupMetrics(dataDir: string, logger: Logger): Metric[] {
  const read = (name: string, help: string, find: (note: BackupNote) => number) =>
    new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        try {
          const note = await readNote(dataDir);
          this.set(note ? find(note) : 0);
        } catch (error) {
          logger.warn({ err: error }, "it is unknown when the last backup was made");
          this.set(0);
        }
      },
    });
  return [
    read(
      "waypost_last_backup_timestamp_seconds",
      "Time up to which the last backup holds everything; 0 when there is none.",
      ({ at }) => Date.parse(at) / 1000,
    ),
    read(
      "waypost_last_backup_size_bytes",
      "Size of the last backup; 0 when there is none.",
      (note) => note.size_bytes,
    ),
  ];
}
