import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";
import { createInterface } from "node:readline";

const READY_IN_MS = 20_000;

/** Starts a program, where it is to run. */
export type Start = (
  command: string,
  parameters: readonly string[],
  options: SpawnOptions,
) => ChildProcess;

/** A server program in the foreground, from the line that says it is ready until it is stopped. */
export class Daemon {
  readonly #child: ChildProcess;
  /** The lines it has written so far. */
  readonly said: readonly string[];

  private constructor(child: ChildProcess, said: readonly string[]) {
    this.#child = child;
    this.said = said;
  }

  /** @param ready matches a line of what it says */
  static async start(
    command: string,
    parameters: string[],
    ready: RegExp,
    start: Start = spawn,
  ): Promise<Daemon> {
    const child = start(command, parameters, {
      stdio: ["ignore", "pipe", "pipe"],
      // Name servers lie where not everybody looks.
      env: { ...process.env, PATH: [process.env["PATH"], "/usr/sbin"].join(delimiter) },
    });
    const said: string[] = [];
    const isReady = Promise.withResolvers<void>();
    const fail = (what: string) => isReady.reject(new Error(`${what}\n${said.join("\n")}`));
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) throw new Error(`${command} has pipes`);
      createInterface({ input: stream }).on("line", (line) => {
        said.push(line);
        if (ready.test(line)) isReady.resolve();
      });
    }
    child.once("error", (error) => fail(`${command} cannot be started: ${error.message}`));
    child.once("exit", (code) => fail(`${command} ended with ${code}`));
    const late = setTimeout(() => fail(`${command} is not ready in time`), READY_IN_MS);
    try {
      await isReady.promise;
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    } finally {
      clearTimeout(late);
    }
    return new Daemon(child, said);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }
}
