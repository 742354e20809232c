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

  private constructor(child: ChildProcess, listensOn: string) {
    super(() => this.#listensOn);
    this.#child = child;
    this.#listensOn = listensOn;
  }

  /** @param settings without their prefix */
  static async start(
    settings: Record<string, string>,
    environment: Record<string, string> = {},
  ): Promise<ServiceProcess> {
    const prefixed = Object.entries(settings).map(([name, value]) => [`WAYPOST_${name}`, value]);
    const child = spawn(process.execPath, [main], {
      env: { PATH: process.env["PATH"], ...environment, ...Object.fromEntries(prefixed) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    const deadline = Date.now() + START_DEADLINE_MS;
    for (;;) {
      const origin = /http:\/\/[\d.]+:\d+/.exec(output)?.[0];
      if (origin) return new ServiceProcess(child, origin);
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill("SIGKILL");
        throw new Error(`the service did not start:\n${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
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
