import type { Database, PostgresDatabase } from "../database/database.ts";
import { MINUTE_MS } from "../lib/clock.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker } from "../lib/worker.ts";
import type { Others } from "../reports/others.ts";
import { Follower } from "./follower.ts";
import { Hints } from "./hints-postgres.ts";
import { Presence } from "./presence.ts";

/** After so long without news, reports that were taken elsewhere may be unknown here. */
const BEHIND_AFTER_MS = 3_000;

/** What a caller may put in place of the usual. */
export interface InstanceOptions {
  deadAfterMs?: number;
}

export interface InstancesParts {
  options: InstanceOptions;
  database: PostgresDatabase;
  instance: string;
  logger: Logger;
  /** Another process has taken the name: this one must not write any more. */
  onReplaced(error: Error): void;
}

/** What is followed. */
export interface FollowedParts {
  /** Reads what others have taken; `take` takes it in. False: something was missed. */
  readReports(): Promise<{ hasMore: boolean; take(): boolean }>;
  /** False: something was missed. */
  catchUpWithNodes(): Promise<boolean>;
  /** Reads everything anew. */
  loadAgain(): Promise<void>;
  dropOldChanges(): Promise<void>;
}

/** This process among others on the same database. */
export class Instances implements Others {
  readonly #logger: Logger;
  readonly #hints: Hints;
  readonly #presence: Presence;
  #follower: Follower | undefined;
  /** Something was missed, and not everything has been read again since. */
  #isLost = false;

  private constructor(logger: Logger, hints: Hints, presence: Presence) {
    this.#logger = logger;
    this.#hints = hints;
    this.#presence = presence;
  }

  /** @throws DatabaseOpenError when another process has the name of this instance */
  static async open(parts: InstancesParts): Promise<Instances> {
    const { database, instance, logger } = parts;
    const hints = new Hints({
      url: database.url,
      instance,
      logger,
      onHint: () => instances?.wake(),
      isHeard: () => instances !== undefined && !instances.isAlone,
    });
    let instances: Instances | undefined;
    try {
      const presence = await Presence.open({
        ...parts,
        ...parts.options,
        claimName: () => hints.claimName(),
      });
      instances = new Instances(logger, hints, presence);
      return instances;
    } catch (error) {
      await hints.close();
      throw error;
    }
  }

  get isAlone(): boolean {
    return this.#presence.isAlone;
  }

  /** The instances that are not dead, this one among them. */
  get living(): ReadonlySet<string> {
    return this.#presence.living;
  }

  /** Those that were there and have been silent for too long. */
  get dead(): ReadonlySet<string> {
    return this.#presence.dead;
  }

  get isBehind(): boolean {
    return !this.isAlone && (this.#follower?.behindMs ?? 0) > BEHIND_AFTER_MS;
  }

  tell(): void {
    this.#hints.tell();
  }

  catchUp(): Promise<void> {
    return this.#follower?.catchUp() ?? Promise.resolve();
  }

  wake(): void {
    this.#follower?.wake();
  }

  /** What runs from the start to the stop of the service. */
  follow(parts: FollowedParts): Part {
    const follower = new Follower(() => this.#look(parts), this.#logger);
    const sweeper = new PeriodicWorker(
      "old changes of nodes",
      MINUTE_MS,
      () => parts.dropOldChanges(),
      this.#logger,
    );
    this.#follower = follower;
    return {
      name: "follower",
      start: () => {
        follower.start();
        sweeper.start();
      },
      stop: async () => {
        await follower.stop();
        await sweeper.stop();
      },
    };
  }

  /** Nothing will be written any more. */
  async close(): Promise<void> {
    try {
      await this.#presence.close();
    } finally {
      await this.#hints.close();
    }
  }

  /**
   * Reports are read before the changes of nodes and taken in after them: so the node of every
   * report is known, unless it is gone.
   */
  async #look(parts: FollowedParts): Promise<void> {
    while (!this.#isLost) {
      const page = await parts.readReports();
      const isWhole = await parts.catchUpWithNodes();
      // A failure may leave out a part of the page.
      this.#isLost = true;
      this.#isLost = !(isWhole && page.take());
      if (this.#isLost) {
        this.#logger.warn("too far behind other instances; the nodes are read again");
      } else if (!page.hasMore) return;
    }
    await parts.loadAgain();
    this.#isLost = false;
  }
}

/** Undefined where one process has the storage to itself. */
export async function openInstances(
  parts: Omit<InstancesParts, "database"> & { database: Database },
): Promise<Instances | undefined> {
  const { database } = parts;
  return database.kind === "postgres" ? Instances.open({ ...parts, database }) : undefined;
}
