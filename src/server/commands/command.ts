/** 0 done, 1 could not be found out or done, 2 called in a wrong way; undefined = it goes on running. */
export type ExitCode = 0 | 1 | 2 | undefined;

/** What a command has of the world. */
export interface Terminal {
  /** A line for whoever called; results only. */
  out(line: string): void;
  environment: NodeJS.ProcessEnv;
  /** The working directory. */
  directory: string;
  /** All of the standard input. */
  readInput(): Promise<string>;
  /** Where a person is asked and shown how far something is, when there is one. */
  input: NodeJS.ReadStream;
  notices: NodeJS.WriteStream;
}

/** A word behind `waypost`. */
export interface Command {
  name: string;
  /** Half a sentence for the list of commands. */
  summary: string;
  /** All that `--help` says, without a line end. */
  help: string;
  /** @throws UsageError; what `parseArgs` of Node throws; anything for a person to read */
  run(parameters: readonly string[], terminal: Terminal): Promise<ExitCode>;
}

/** Called in a wrong way. The message is a sentence. */
export class UsageError extends Error {}

/** What was asked for could not be done. The message is a sentence. */
export class CommandFailed extends Error {}
