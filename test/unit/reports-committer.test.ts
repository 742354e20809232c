import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogger } from "../../src/server/lib/logger.ts";
import { Committer, type Ticket } from "../../src/server/reports/committer.ts";
import { JournalError, type Journal } from "../../src/server/reports/journal.ts";
import { decodeBatch, type ReportRecord } from "../../src/server/reports/record.ts";

/** A journal whose commits end when the test says so. */
class HeldJournal implements Journal {
  readonly batches: number[][] = [];
  #running: PromiseWithResolvers<void> | undefined;

  append(batch: Buffer): Promise<void> {
    if (this.#running) throw new Error("two commits at a time");
    this.batches.push(decodeBatch(batch).map((each) => each.nodeId));
    this.#running = Promise.withResolvers();
    return this.#running.promise;
  }

  async end(error?: Error): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (error) running?.reject(error);
    else running?.resolve();
    await turn();
  }

  fold = async (): Promise<void> => {};
  close = async (): Promise<void> => {};
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the committer", () => {
  let journal: HeldJournal;
  let committer: Committer;
  let fatal: Error[];
  let outcomes: string[];

  beforeEach(() => {
    journal = new HeldJournal();
    fatal = [];
    outcomes = [];
    committer = new Committer(journal, createLogger("silent"), (error) => fatal.push(error));
  });

  afterEach(() => void vi.useRealTimers());

  function add(nodeId: number): void {
    const ticket: Ticket = {
      record: record(nodeId),
      slot: nodeId,
      settle: (error) => outcomes.push(`${nodeId} ${error?.code ?? "stored"}`),
      refuse: (error) => outcomes.push(`${nodeId} refused: ${error.code}`),
    };
    committer.add(ticket);
  }

  it("gathers what arrives during a commit into the next", async () => {
    add(1);
    await turn();
    add(2);
    add(3);
    expect(outcomes).toEqual([]);
    await journal.end();
    expect(outcomes).toEqual(["1 stored"]);
    await journal.end();
    expect(outcomes).toEqual(["1 stored", "2 stored", "3 stored"]);
    expect(journal.batches).toEqual([[1], [2, 3]]);
    expect(committer.statistics).toMatchObject({ batches: 2, reports: 3, queued: 0 });
  });

  it("fails what waits behind a failed batch, because it was summed up on top of it", async () => {
    add(1);
    await turn();
    add(2);
    await journal.end(new JournalError("SQLITE_FULL", false));
    expect(outcomes).toEqual(["1 storage_unavailable", "2 storage_unavailable"]);
    expect(committer.healthy).toBe(false);
    expect(fatal).toEqual([]);
    add(3);
    await turn();
    await journal.end();
    expect(outcomes.at(-1)).toBe("3 stored");
    expect(committer.healthy).toBe(true);
  });

  it("tells when the storage can no longer be trusted", async () => {
    add(1);
    await turn();
    await journal.end(new JournalError("SQLITE_IOERR_FSYNC", true));
    expect(fatal).toHaveLength(1);
  });

  it("refuses more reports than may wait", async () => {
    add(0);
    await turn();
    for (let count = 0; count < 16_384; count++) {
      committer.checkRoom();
      add(1);
    }
    expect(() => committer.checkRoom()).toThrow(/Too many reports/);
    await journal.end();
    expect(() => committer.checkRoom()).not.toThrow(/Too many reports/);
    await journal.end();
  });

  it("lets callers go when a commit takes too long, and stores nothing that waited behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    add(1);
    await turn();
    add(2);
    vi.advanceTimersByTime(5_000);
    expect(outcomes).toEqual(["1 refused: storage_unavailable", "2 refused: storage_unavailable"]);
    expect(() => committer.checkRoom()).toThrow(/does not answer/);
    await journal.end();
    expect(outcomes.slice(2)).toEqual(["1 stored", "2 storage_unavailable"]);
    expect(journal.batches).toEqual([[1]]);
    expect(() => committer.checkRoom()).not.toThrow(/does not answer/);
    expect(committer.statistics.queued).toBe(0);
  });

  it("settles what it has when it closes, and takes nothing more", async () => {
    add(1);
    await turn();
    const closed = committer.close();
    expect(() => committer.checkRoom()).toThrow(/is stopping/);
    await journal.end();
    await closed;
    expect(outcomes).toEqual(["1 stored"]);
  });
});

function record(nodeId: number): ReportRecord {
  return {
    nodeId,
    at: 1,
    traffic: 1,
    bandwidth: 1,
    connections: 1,
    status: "online",
    periodStart: 0,
    intervalMs: 0,
    tierBandwidth: null,
    version: null,
    receipt: null,
  };
}
