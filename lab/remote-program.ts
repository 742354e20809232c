import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Namespace } from "./namespace.ts";

interface Answer {
  id: number;
  value?: unknown;
  error?: string;
}

/**
 * A module of ours that runs as a process inside a namespace and answers what it is asked. The
 * module calls `answerAsked` of `programs/asked.ts`.
 */
export class RemoteProgram {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.on("message", (message) => this.#settle(message as Answer));
    process.on("exit", () => this.#fail());
  }

  /** Resolves when the module is ready to be asked. */
  static async start(
    namespace: Namespace,
    module: URL,
    parameters: readonly string[] = [],
  ): Promise<RemoteProgram> {
    const path = fileURLToPath(module);
    const running = namespace.spawn(process.execPath, [path, ...parameters], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const program = new RemoteProgram(running);
    await program.ask("ready", {});
    return program;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Rejects with the module's error, and when the process ends before it answers. */
  async ask<Result>(question: string, parameters: object): Promise<Result> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    if (this.#process.connected) this.#process.send({ id, question, parameters });
    else this.#fail();
    return (await answer.promise) as Result;
  }

  /** Ends the process at once, as a power cut would. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }

  #settle({ id, value, error }: Answer): void {
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) answer?.resolve(value);
    else answer?.reject(new Error(error));
  }

  #fail(): void {
    for (const answer of this.#waiting.values()) {
      answer.reject(new Error("The program in the laboratory has ended."));
    }
    this.#waiting.clear();
  }
}
