import { Books } from "../../../src/agent/books.ts";
import type { Counters } from "../../../src/agent/counters.ts";
import { JournalError } from "../../../src/agent/journal.ts";
import { fromText, toText } from "../../../src/agent/ledger-text.ts";
import { emptyLedger, type Ledger } from "../../../src/agent/ledger.ts";
import { Log } from "../../../src/agent/log.ts";
import type { Outcome } from "../../../src/agent/outcome.ts";
import { toGb, type Report } from "../../../src/agent/report.ts";
import { Reporter } from "../../../src/agent/reporter.ts";
import type { Source } from "../../../src/agent/source.ts";
import type { World } from "../../../src/agent/world.ts";

const DAY_MS = 86_400_000;
const INTERVAL_MS = 60_000;
const BYTES_PER_MS = 7n;

/** Ends the agent at once, wherever it is: nothing of it runs again. */
class Crash extends Error {}

/** What goes wrong the next time that the agent does something, from a list; then nothing does. */
export type Mishap =
  | "none"
  | "crash before"
  | "crash after"
  | "request lost"
  | "answer lost"
  | "answer lost for a day"
  /** The machine wakes up without knowing what day it is. */
  | "answer and date lost for a day"
  | "busy"
  | "disk full"
  | "outage of a day"
  | "reboot";

/** A node, its agent and a service, in a time of their own. What the agent does may go wrong. */
export class SimulatedNode {
  readonly log: string[] = [];
  readonly sent: Report[] = [];
  /** What the service has counted. */
  counted = 0n;
  /** What has passed, less what a restart of the machine made unknowable. */
  truth = 0n;
  /** Saved before the first look: none of it counts. */
  #shown = 1_000n;
  #life = 1;
  #now = 1_800_000_000_000;
  #downUntil = 0;
  /** How far the clock on the wall is behind. */
  #behindMs = 0;
  #ids = 0;
  #saved: string | undefined;
  #stop = new AbortController();
  #stopAt = Infinity;
  readonly #receipts = new Map<string, number>();
  readonly #mishaps: Mishap[];

  constructor(mishaps: readonly Mishap[]) {
    this.#mishaps = [...mishaps];
  }

  /** Lets an agent run until it crashes or this time has passed. @returns whether it crashed */
  async run(ms: number): Promise<boolean> {
    this.#stop = new AbortController();
    this.#stopAt = this.#now + ms;
    const world = this.#world();
    const source = this.#source();
    const log = new Log(
      (line) => this.log.push(line),
      () => this.#now,
    );
    const journal = {
      load: async () => this.#load(),
      save: async (ledger: Ledger) => this.#save(ledger),
    };
    const books = new Books({ journal, source, direction: "both", world });
    const client = { report: async (report: Report) => this.#take(report) };
    const reporter = new Reporter({ books, source, client, log, world, intervalMs: INTERVAL_MS });
    try {
      await reporter.run(this.#stop.signal, new AbortController().signal);
      return false;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      return true;
    }
  }

  get pending(): boolean {
    return this.#load().pending !== undefined;
  }

  #world(): World {
    return {
      now: () => this.#now - this.#behindMs,
      elapsed: () => this.#now,
      sleep: async (ms, signal) => {
        if (signal.aborted) return;
        this.#pass(Math.max(1, Math.ceil(ms)));
        if (this.#now >= this.#stopAt) this.#stop.abort();
      },
      chance: () => 0.5,
      newId: () => `id-${++this.#ids}`,
    };
  }

  #pass(ms: number): void {
    this.#now += ms;
    this.#shown += BigInt(ms) * BYTES_PER_MS;
    if (this.#saved !== undefined) this.truth += BigInt(ms) * BYTES_PER_MS;
  }

  #source(): Source {
    return {
      name: "interface eth0",
      bits: 64,
      version: undefined,
      readCounters: () => this.#withMishap(async () => this.#read()),
      countConnections: async () => 3,
    };
  }

  #read(): Counters {
    return new Map([["eth0", { life: String(this.#life), in: this.#shown, out: 0n }]]);
  }

  #load(): Ledger {
    return this.#saved === undefined ? emptyLedger : fromText(this.#saved);
  }

  #save(ledger: Ledger): Promise<void> {
    return this.#withMishap(async (mishap) => {
      if (mishap === "disk full") throw new JournalError("The journal cannot be written");
      if (this.#saved === undefined) this.#beginToCount(ledger);
      this.#saved = toText(ledger);
    });
  }

  /** What passed since the first reading, when that is kept. */
  #beginToCount({ counters, owed, pending }: Ledger): void {
    const since = this.#shown - (counters.get("eth0")?.in ?? this.#shown);
    this.truth = owed + (pending?.bytes ?? 0n) + since;
  }

  #take(report: Report): Promise<Outcome> {
    this.sent.push(report);
    return this.#withMishap(async (mishap) => {
      const failed = { kind: "failed", why: mishap, retryAfterMs: undefined } as const;
      if (mishap === "outage of a day") this.#downUntil = this.#now + DAY_MS + 1;
      if (this.#now < this.#downUntil) return failed;
      if (mishap === "busy") return { ...failed, retryAfterMs: 30_000 };
      if (mishap === "request lost") return failed;
      this.#count(report);
      if (!mishap.startsWith("answer")) return { kind: "accepted", answer: this.#answer() };
      // The worst moment for it: the report has been counted, and will be forgotten.
      if (mishap.endsWith("for a day")) this.#downUntil = this.#now + DAY_MS + 1;
      if (mishap.includes("date")) this.#behindMs = 365 * DAY_MS;
      return failed;
    });
  }

  /** As the service does: an id is known for a day. */
  #count({ id, bytes }: Report): void {
    const at = this.#receipts.get(id) ?? -Infinity;
    if (this.#now - at < DAY_MS) return;
    this.#receipts.set(id, this.#now);
    this.counted += BigInt(Math.round(toGb(bytes) * 1e9));
  }

  #answer() {
    return { usedTraffic: toGb(this.counted), resetDate: "2031-01-01T00:00:00.000Z" };
  }

  async #withMishap<Result>(work: (mishap: Mishap) => Promise<Result>): Promise<Result> {
    const mishap = this.#mishaps.shift() ?? "none";
    if (mishap === "crash before") throw new Crash();
    if (mishap === "reboot") this.#reboot();
    const result = await work(mishap);
    if (mishap === "crash after") throw new Crash();
    return result;
  }

  /** What passed after the last reading that was saved is known to nobody. */
  #reboot(): never {
    const known = this.#load().counters.get("eth0");
    if (known)
      this.truth -= known.life === String(this.#life) ? this.#shown - known.in : this.#shown;
    this.#life++;
    this.#shown = 0n;
    throw new Crash();
  }
}
