import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A command that people are shown, run as whoever copies it into a shell of their own. */
export class ShownCommand {
  /** Its home, which goes with it. */
  readonly folder: string;
  readonly #shell: ChildProcess;
  #said = "";

  private constructor(shell: ChildProcess, folder: string) {
    this.#shell = shell;
    this.folder = folder;
    for (const stream of [shell.stdout, shell.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    }
  }

  /** @param directory where it is called; in its home unless told */
  static async start(
    text: string,
    env: Record<string, string> = {},
    directory?: string,
  ): Promise<ShownCommand> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-shown-"));
    const shell = spawn("/bin/sh", ["-c", text], {
      cwd: directory ?? folder,
      // Every machine has this interface; what it counts does not matter.
      env: { PATH: process.env["PATH"], HOME: folder, WAYPOST_INTERFACE: "lo", ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // The shell and all that it starts are one group, to be ended together.
      detached: true,
    });
    return new ShownCommand(shell, folder);
  }

  /** Everything it has written so far. */
  get said(): string {
    return this.#said;
  }

  /** Tells all of it to end, and waits until it has. */
  async terminate(): Promise<void> {
    const closed = once(this.#shell, "close");
    process.kill(-this.#pid, "SIGTERM");
    await closed;
  }

  /** Ends it as a crash does, and removes what it has written. */
  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.#shell;
    if (exitCode === null && signalCode === null) {
      const exited = once(this.#shell, "exit");
      process.kill(-this.#pid, "SIGKILL");
      await exited;
    }
    await rm(this.folder, { recursive: true });
  }

  get #pid(): number {
    if (this.#shell.pid === undefined) throw new Error("The shell has not been started");
    return this.#shell.pid;
  }
}
