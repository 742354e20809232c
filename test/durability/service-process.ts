import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "../support/client.ts";

const main = fileURLToPath(new URL("../../src/server/main.ts", import.meta.url));
const START_DEADLINE_MS = 30_000;

/** The program itself in a process of its own, so that it can be killed. */
export class ServiceProcess extends Client {
  readonly #child: ChildProcess;
  readonly #listensOn: string;
  readonly #said: { text: string };

  private constructor(child: ChildProcess, listensOn: string, said: { text: string }) {
    super(() => this.#listensOn);
    this.#child = child;
    this.#listensOn = listensOn;
    this.#said = said;
  }

  /**
   * @param settings without their prefix
   * @param program the service unless it says otherwise
   */
  static async start(
    settings: Record<string, string>,
    environment: Record<string, string> = {},
    program = main,
  ): Promise<ServiceProcess> {
    const prefixed = Object.entries(settings).map(([name, value]) => [`WAYPOST_${name}`, value]);
    return ServiceProcess.of(
      spawn(process.execPath, [program], {
        env: { PATH: process.env["PATH"], ...environment, ...Object.fromEntries(prefixed) },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  }

  /**
   * One that was started elsewhere, with pipes for what it writes.
   * @param reachedAt its origin from here, when that is not the one it names itself
   */
  static async of(child: ChildProcess, reachedAt?: string): Promise<ServiceProcess> {
    const said = { text: "" };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (said.text += text));
    }
    const deadline = Date.now() + START_DEADLINE_MS;
    for (;;) {
      const origin = /http:\/\/[\d.]+:\d+/.exec(said.text)?.[0];
      if (origin) return new ServiceProcess(child, reachedAt ?? origin, said);
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill("SIGKILL");
        throw new Error(`the service did not start:\n${said.text}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Everything it has written so far. */
  get said(): string {
    return this.#said.text;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Ends the process as a crash does: nothing in it runs again. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** @returns the exit status */
  async terminate(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Waits for an end that nobody asked for. @returns the exit status */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, "exit");
    }
    return this.#child.exitCode;
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    this.close();
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, "exit");
      this.#child.kill(signal);
      await exited;
    }
    return this.#child.exitCode;
  }
}
