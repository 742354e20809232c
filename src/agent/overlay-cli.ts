import { execFile } from "node:child_process";
import { SourceError } from "./source.ts";

const DEADLINE_MS = 5_000;
const OUTPUT_BYTES = 64 << 20;

/** The overlay's own command line program, with which it is asked what it does. */
export class OverlayCli {
  readonly #program: string;
  /** `host:port` where the overlay takes questions. */
  readonly #portal: string;

  constructor(program: string, portal: string) {
    this.#program = program;
    this.#portal = portal;
  }

  async isInstalled(): Promise<boolean> {
    return (await this.#run(["--version"])).code !== "ENOENT";
  }

  /** What a command prints as JSON. @throws SourceError */
  async ask(...words: string[]): Promise<unknown> {
    const { code, out, err } = await this.#run(["-p", this.#portal, "-o", "json", ...words]);
    if (code === "ENOENT") throw new SourceError(`There is no program ${this.#program}`);
    if (code !== undefined) {
      const [line = ""] = err.trim().split("\n");
      throw new SourceError(`The overlay does not answer: ${line || `status ${code}`}`);
    }
    try {
      return JSON.parse(out);
    } catch {
      throw new SourceError(`What ${this.#program} printed is not JSON`);
    }
  }

  /** `code` is undefined when it ended well. */
  #run(parameters: string[]): Promise<{ code: string | undefined; out: string; err: string }> {
    const options = {
      timeout: DEADLINE_MS,
      maxBuffer: OUTPUT_BYTES,
      killSignal: "SIGKILL",
    } as const;
    return new Promise((resolve) => {
      execFile(this.#program, parameters, options, (error, out, err) => {
        const code = error
          ? String(error.code ?? (error.killed ? "too late" : "unknown"))
          : undefined;
        resolve({ code, out, err });
      });
    });
  }
}
