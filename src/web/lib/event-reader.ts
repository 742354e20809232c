/** One event of a stream of server-sent events. */
export interface StreamEvent {
  event: string;
  data: string;
}

/**
 * Puts a stream of server-sent events together from the pieces it arrives in (HTML standard,
 * "server-sent events"; ids and retry times are not used).
 */
export class EventReader {
  #rest = "";
  #event = "";
  #data: string[] = [];

  /** @returns the events that `piece` completes */
  read(piece: string): StreamEvent[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    const events: StreamEvent[] = [];
    for (const line of lines) {
      const done = this.#take(line);
      if (done) events.push(done);
    }
    return events;
  }

  #take(line: string): StreamEvent | undefined {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.#event = value;
    else if (name === "data") this.#data.push(value);
    return undefined;
  }

  #complete(): StreamEvent | undefined {
    const done =
      this.#data.length === 0
        ? undefined
        : { event: this.#event || "message", data: this.#data.join("\n") };
    this.#event = "";
    this.#data = [];
    return done;
  }
}
