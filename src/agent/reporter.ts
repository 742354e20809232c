import { waitAfterFailure, waitAfterRefusal } from "./back-off.ts";
import type { Books } from "./books.ts";
import { JournalError } from "./journal.ts";
import type { Log } from "./log.ts";
import type { Outcome } from "./outcome.ts";
import type { Load, Report } from "./report.ts";
import type { ServiceClient } from "./service-client.ts";
import { SourceError, type Source } from "./source.ts";
import { Trouble } from "./trouble.ts";
import type { World } from "./world.ts";

/** Counters that begin again, and those that wrap, are read more often than they are reported. */
const SAMPLE_MS = 15_000;
/** The service knows an id for 24 hours; an hour is left for clocks that differ. */
const ID_IS_KNOWN_MS = 23 * 3_600_000;
/** A report that seems to be made later than this from now is as old as nobody knows. */
const CLOCK_IS_SET_MS = 3_600_000;

/** Over which the first bandwidth is measured. */
export function firstMeasureMs(intervalMs: number): number {
  return Math.min(1_000, intervalMs / 4);
}

export interface ReporterParts {
  books: Books;
  source: Source;
  client: Pick<ServiceClient, "report">;
  log: Log;
  world: World;
  intervalMs: number;
}

/** Reports this node: one report at a time, each until it has been answered. */
export class Reporter {
  readonly #parts: ReporterParts;
  readonly #sourceTrouble: Trouble;
  readonly #journalTrouble: Trouble;
  readonly #serviceTrouble: Trouble;
  #hasReported = false;
  #failures = 0;
  /** Whether what the node does now stands in no report, because another is on its way. */
  #isBehind = false;
  /** As `elapsed` counts. */
  #reportAt = 0;
  #sampleAt = 0;
  #sendAt = 0;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
    this.#sourceTrouble = new Trouble(parts.log, "source_unreadable");
    this.#journalTrouble = new Trouble(parts.log, "journal_unwritable");
    this.#serviceTrouble = new Trouble(parts.log, "report_undelivered");
  }

  /**
   * Until `stop`, then says that the node is offline. Once, it is at most until `giveUp`.
   * @throws JournalError when the journal cannot be read
   */
  async run(stop: AbortSignal, giveUp: AbortSignal): Promise<void> {
    const { world } = this.#parts;
    await this.#begin(stop);
    this.#reportAt = world.elapsed();
    while (!stop.aborted) {
      await this.#doWhatIsDue(giveUp);
      const next = this.#parts.books.pending ? this.#sendAt : Infinity;
      const at = Math.min(next, this.#reportAt, this.#sampleAt);
      await world.sleep(Math.max(at - world.elapsed(), 0), stop);
    }
    await this.#deliver("offline", giveUp);
  }

  /** Reports once. @returns whether it was taken. @throws JournalError as `run` does */
  async once(giveUp: AbortSignal): Promise<boolean> {
    await this.#begin(giveUp);
    return this.#deliver("online", giveUp);
  }

  async #begin(stop: AbortSignal): Promise<void> {
    const { books, world, intervalMs } = this.#parts;
    await books.open();
    await this.#sample();
    await world.sleep(firstMeasureMs(intervalMs), stop);
  }

  async #doWhatIsDue(giveUp: AbortSignal): Promise<void> {
    const { books, world, intervalMs } = this.#parts;
    const now = world.elapsed();
    if (now >= this.#reportAt) {
      const next = this.#reportAt + intervalMs;
      this.#reportAt = next > now ? next : now + intervalMs;
      await this.#makeReport("online");
    } else if (now >= this.#sampleAt) {
      await this.#sample();
    }
    const { pending } = books;
    if (!pending || now < this.#sendAt) return;
    if ((await this.#send(pending, giveUp)) === "accepted" && this.#isBehind) this.#reportAt = now;
  }

  /** What is on its way, then one more, with as many attempts as there is time for. */
  async #deliver(status: Load["status"], giveUp: AbortSignal): Promise<boolean> {
    const { books } = this.#parts;
    if (books.pending && !(await this.#sendUntil(books.pending, giveUp))) {
      await this.#makeReport(status);
      return false;
    }
    const report = await this.#makeReport(status);
    return report !== undefined && this.#sendUntil(report, giveUp);
  }

  async #sendUntil(report: Report, giveUp: AbortSignal): Promise<boolean> {
    const { world } = this.#parts;
    while (!giveUp.aborted) {
      const end = await this.#send(report, giveUp);
      if (end !== "failed") return end === "accepted";
      await world.sleep(this.#sendAt - world.elapsed(), giveUp);
    }
    return false;
  }

  /** Counts, and makes a report when none is on its way. */
  async #makeReport(status: Load["status"]): Promise<Report | undefined> {
    const { books } = this.#parts;
    const load = await this.#measure(status);
    return this.#write(async () => {
      this.#isBehind = books.pending !== undefined;
      if (!this.#isBehind) return books.propose(load);
      await books.save();
      return undefined;
    });
  }

  async #measure(status: Load["status"]): Promise<Load> {
    const { books, source, intervalMs } = this.#parts;
    const given = { version: source.version, intervalSeconds: intervalMs / 1_000 };
    const connections = (await this.#sample()) ? await this.#countConnections() : undefined;
    if (connections === undefined) {
      return { ...given, status: "offline", bandwidth: 0, connections: 0 };
    }
    return { ...given, status, bandwidth: books.takeBandwidth(), connections };
  }

  /** @returns whether the counters could be read */
  async #sample(): Promise<boolean> {
    const { books, world } = this.#parts;
    this.#sampleAt = world.elapsed() + SAMPLE_MS;
    try {
      await this.#write(() => books.sample());
      this.#sourceTrouble.end("The counters can be read again");
      return true;
    } catch (error) {
      this.#complain(error);
      return false;
    }
  }

  async #countConnections(): Promise<number | undefined> {
    try {
      return await this.#parts.source.countConnections();
    } catch (error) {
      this.#complain(error);
      return undefined;
    }
  }

  #complain(error: unknown): void {
    if (!(error instanceof SourceError)) throw error;
    this.#sourceTrouble.begin(error.message, this.#parts.world.elapsed());
  }

  /** @returns undefined, having said so, when the journal cannot be written */
  async #write<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      const result = await work();
      this.#journalTrouble.end("The journal can be written again");
      return result;
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#journalTrouble.begin(error.message, this.#parts.world.elapsed());
      return undefined;
    }
  }

  async #send(report: Report, giveUp: AbortSignal): Promise<Outcome["kind"]> {
    const { books, client, world } = this.#parts;
    const age = world.now() - report.madeAt;
    const isOld = age >= ID_IS_KNOWN_MS || age < -CLOCK_IS_SET_MS;
    const sent = isOld ? { ...report, id: world.newId(), madeAt: world.now(), bytes: 0n } : report;
    const outcome = await client.report(sent, giveUp);
    if (outcome.kind === "accepted") {
      this.#failures = 0;
      this.#sendAt = 0;
      this.#sayAccepted();
      await this.#write(async () => {
        if (isOld) this.#saySettled(await books.settle(outcome.answer), report);
        else await books.acknowledge(outcome.answer);
      });
    } else if (!giveUp.aborted) {
      this.#serviceTrouble.begin(outcome.why, world.elapsed());
      this.#sendAt = world.elapsed() + this.#waitAfter(outcome);
    }
    return outcome.kind;
  }

  #waitAfter(outcome: Exclude<Outcome, { kind: "accepted" }>): number {
    const chance = () => this.#parts.world.chance();
    if (outcome.kind === "refused") return waitAfterRefusal(chance);
    return waitAfterFailure(++this.#failures, outcome.retryAfterMs, chance);
  }

  #sayAccepted(): void {
    this.#serviceTrouble.end("Reports are taken again; nothing was lost");
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#parts.log.say("info", "reporting", "The service takes the reports of this node");
  }

  #saySettled(settlement: string, { id, bytes }: Report): void {
    const message = "A report is so old that its id may be forgotten; its traffic was looked up";
    const more = { report_id: id, bytes: String(bytes), settlement };
    this.#parts.log.say("warn", "old_report_settled", message, more);
  }
}
