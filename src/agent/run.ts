import { checkParts, describeReport } from "./inspect.ts";
import { JournalError } from "./journal.ts";
import { LockedError, lockJournal } from "./lock.ts";
import { Log } from "./log.ts";
import { readOptions, SettingError } from "./options.ts";
import { assemble, type AgentParts } from "./parts.ts";
import { readSettings, type AgentSettings } from "./settings.ts";
import { SourceError } from "./source.ts";
import type { World } from "./world.ts";

/** What the agent has of the process that it runs in. */
export interface Surroundings {
  environment: Readonly<Record<string, string | undefined>>;
  platform: string;
  /** A result, for whoever asked. */
  out: (line: string) => void;
  /** What happens. */
  err: (line: string) => void;
  /** Called at most once, when the process is told to end. */
  onStop: (stop: () => void) => void;
  world: World;
}

type ExitCode = 0 | 1 | 2;

/** For the report that says that the node is offline. */
const STOP_MS = 5_000;
const ONCE_MS = 30_000;

/**
 * `waypost agent` and `node agent.mjs`, without what asks for help.
 * @returns the exit code; rejects at a defect only
 */
export async function runAgent(
  parameters: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { err, world } = surroundings;
  const log = new Log(err, () => world.now());
  try {
    return await doAsAsked(parameters, log, surroundings);
  } catch (error) {
    if (isWrongUse(error)) {
      err(`${error.message}\nSee --help.`);
      return 2;
    }
    if (!isExplained(error)) throw error;
    log.say("error", "failed", error.message);
    return 1;
  }
}

async function doAsAsked(
  parameters: readonly string[],
  log: Log,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { environment, out, platform, world } = surroundings;
  const given = readOptions(parameters, environment);
  const settings = readSettings(given, environment);
  const parts = await assemble(settings, log, world);
  switch (given.mode) {
    case "print":
      out(await describeReport(parts, settings, world));
      return 0;
    case "check":
      return (await checkParts(parts, out, platform)) ? 0 : 1;
    case "once":
      return reportOnce(parts, log, surroundings);
    default:
      return reportUntilStopped(parts, settings, log, surroundings);
  }
}

async function reportOnce(
  { reporter, journal }: AgentParts,
  log: Log,
  { platform, onStop }: Surroundings,
): Promise<ExitCode> {
  await lockJournal(journal.path, platform);
  const stop = new AbortController();
  onStop(() => stop.abort());
  const giveUp = AbortSignal.any([stop.signal, AbortSignal.timeout(ONCE_MS)]);
  if (await reporter.once(giveUp)) return 0;
  log.say("error", "failed", "The report was not taken; the journal keeps its traffic");
  return 1;
}

async function reportUntilStopped(
  { reporter, journal, source, books }: AgentParts,
  { url, identity, intervalMs }: AgentSettings,
  log: Log,
  { platform, onStop }: Surroundings,
): Promise<ExitCode> {
  await lockJournal(journal.path, platform);
  const stop = new AbortController();
  const giveUp = new AbortController();
  onStop(() => {
    stop.abort();
    setTimeout(() => giveUp.abort(), STOP_MS).unref();
  });
  log.say("info", "started", `Reports ${identity.nodeName} to ${url}`, {
    source: source.name,
    interval_seconds: intervalMs / 1_000,
    journal: journal.path,
  });
  await reporter.run(stop.signal, giveUp.signal);
  const kept = (books.pending?.bytes ?? 0n) + books.owed;
  const isKept = books.pending !== undefined;
  const message = isKept ? "Stopped; the journal keeps what was not taken" : "Stopped";
  log.say("info", "stopped", message, isKept ? { bytes: String(kept) } : {});
  return 0;
}

function isWrongUse(error: unknown): error is Error {
  if (error instanceof SettingError) return true;
  const { code = "" } = error as NodeJS.ErrnoException;
  return code.startsWith("ERR_PARSE_ARGS_");
}

function isExplained(error: unknown): error is Error {
  return (
    error instanceof SourceError || error instanceof JournalError || error instanceof LockedError
  );
}
