import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import type { EventData, EventName, ServerEvent } from "../../src/shared/api/events.ts";
import type { Client } from "./client.ts";

/** Reads `GET /api/events` as a browser's page does. */
export class EventReader {
  readonly response: IncomingMessage;
  readonly events: ServerEvent[] = [];
  comments = 0;
  /** How it ended; undefined while it lasts. */
  end: "orderly" | "broken" | undefined;
  #rest = "";
  #news = Promise.withResolvers<void>();

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding("utf8");
    response.on("data", (text: string) => this.#take(text));
    response.on("end", () => this.#finish("orderly"));
    response.on("error", () => this.#finish("broken"));
  }

  /** Resolves when the first line has come. */
  static async open(
    client: Client,
    token: string,
    headers: Record<string, string> = {},
  ): Promise<EventReader> {
    const sent = request(`${client.origin}/api/events`, {
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`events answered ${response.statusCode}`);
    const reader = new EventReader(response);
    await reader.until(() => reader.#hasBegun);
    return reader;
  }

  #hasBegun = false;

  /** What was told by this name so far. */
  of<N extends EventName>(name: N): EventData<N>[] {
    return this.events.filter((each) => each.event === name).map((each) => each.data) as never;
  }

  /** The first event of this name that is as asked, which may have come already. */
  async find<N extends EventName>(
    name: N,
    isIt: (data: EventData<N>) => boolean = () => true,
  ): Promise<EventData<N>> {
    await this.until(() => this.of(name).some(isIt));
    return this.of(name).find(isIt) as EventData<N>;
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.end) throw new Error(`the stream has ended: ${this.end}`);
      await this.#news.promise;
    }
  }

  async ended(): Promise<"orderly" | "broken"> {
    while (!this.end) await this.#news.promise;
    return this.end;
  }

  close(): void {
    this.response.destroy();
  }

  #take(text: string): void {
    const blocks = `${this.#rest}${text}`.split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) this.#read(block);
    this.#tell();
  }

  #read(block: string): void {
    if (block.startsWith("retry: ")) this.#hasBegun = true;
    else if (block.startsWith(":")) this.comments++;
    else {
      const { event, data } = /^event: (?<event>\w+)\ndata: (?<data>.+)$/.exec(block)?.groups ?? {};
      if (!event || !data) throw new Error(`no event: ${block}`);
      this.events.push({ event, data: JSON.parse(data) as unknown } as ServerEvent);
    }
  }

  #finish(end: "orderly" | "broken"): void {
    this.end ??= end;
    this.#tell();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
