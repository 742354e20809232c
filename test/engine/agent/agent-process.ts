import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../../src/agent/main.ts", import.meta.url));

export interface AgentEnd {
  code: number | null;
  out: string;
  /** The lines of its log. */
  events: LogLine[];
  err: string;
}

export interface LogLine {
  level: string;
  event: string;
  message: string;
  [more: string]: unknown;
}

export type Start = (
  command: string,
  parameters: readonly string[],
  options: SpawnOptions,
) => ChildProcess;

export interface AgentOptions {
  /** By their whole names. */
  env: Readonly<Record<string, string>>;
  parameters?: readonly string[];
  /** The agent's sources by this Node unless it says otherwise. */
  program?: readonly [node: string, file: string];
  /** Where it runs; this machine unless it says otherwise. */
  start?: Start;
}

/** The agent as a process of its own, so that it can be killed. */
export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #out = "";
  #err = "";

  constructor({
    env,
    parameters = [],
    program = [process.execPath, main],
    start = spawn,
  }: AgentOptions) {
    const [node, file] = program;
    this.#child = start(node, [file, ...parameters], {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#closed = once(this.#child, "close");
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#out += text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#err += text));
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  async terminate(): Promise<AgentEnd> {
    this.#child.kill("SIGTERM");
    return this.ended();
  }

  /** Waits for the end that it comes to by itself. */
  async ended(): Promise<AgentEnd> {
    await this.#closed;
    return { code: this.#child.exitCode, out: this.#out, err: this.#err, events: this.events };
  }

  get events(): LogLine[] {
    const lines = this.#err.split("\n").filter((line) => line.startsWith("{"));
    return lines.map((line) => JSON.parse(line) as LogLine);
  }
}
