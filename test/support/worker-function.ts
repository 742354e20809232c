import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { Log, LogLevel, Miniflare } from "miniflare";
import { Client } from "./client.ts";

/** The check function in the runtime of Workers, on a port of its own. */
export class WorkerFunction extends Client {
  readonly #runtime: Miniflare;
  readonly #said: { text: string };

  private constructor(runtime: Miniflare, origin: string, said: { text: string }) {
    super(() => origin);
    this.#runtime = runtime;
    this.#said = said;
  }

  /**
   * @param script the bundle
   * @param settings without their prefix
   * @param compatibilityDate of the runtime's behaviour
   */
  static async start(
    script: string,
    settings: Record<string, string> = {},
    compatibilityDate = "2025-01-01",
  ): Promise<WorkerFunction> {
    const prefixed = Object.entries(settings).map(([name, value]) => [`WAYPOST_${name}`, value]);
    const said = { text: "" };
    const hear = (stream: Readable) => stream.on("data", (bytes) => (said.text += String(bytes)));
    const runtime = new Miniflare({
      modules: [{ type: "ESModule", path: "worker.js", contents: await readFile(script, "utf8") }],
      compatibilityDate,
      bindings: Object.fromEntries(prefixed) as Record<string, string>,
      host: "127.0.0.1",
      port: 0,
      // Nothing is fetched from anywhere.
      cf: false,
      log: new Log(LogLevel.NONE),
      handleRuntimeStdio: (...streams: Readable[]) => streams.forEach(hear),
    });
    const { origin } = await runtime.ready;
    return new WorkerFunction(runtime, origin, said);
  }

  /** Everything that the runtime and the function have written so far. */
  get said(): string {
    return this.#said.text;
  }

  async stop(): Promise<void> {
    this.close();
    await this.#runtime.dispose();
  }
}
