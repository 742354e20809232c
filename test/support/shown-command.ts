import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A command that a page shows, run as whoever copies it into a shell of their own node. */
export class ShownCommand {
  readonly #shell: ChildProcess;
  readonly #folder: string;
  #said = "";

  private constructor(shell: ChildProcess, folder: string) {
    this.#shell = shell;
    this.#folder = folder;
    for (const stream of [shell.stdout, shell.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    }
  }

  static async start(text: string): Promise<ShownCommand> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-shown-"));
    const shell = spawn("/bin/sh", ["-c", text], {
      cwd: folder,
      // Every machine has this interface; what it counts does not matter.
      env: { PATH: process.env["PATH"], HOME: folder, WAYPOST_INTERFACE: "lo" },
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

  /** Ends it as a crash does, and removes what it has written. */
  async stop(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#shell;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      const exited = once(this.#shell, "exit");
      process.kill(-pid, "SIGKILL");
      await exited;
    }
    await rm(this.#folder, { recursive: true });
  }
}
