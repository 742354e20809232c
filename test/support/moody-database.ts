import type { Database } from "../../src/server/database/database.ts";

/** What a storage does to transactions. */
export type StorageMood = "fine" | "away" | "loses the answer";

/** A storage that fails when it is told to. */
export class MoodyDatabase {
  mood: StorageMood = "fine";
  /** Transactions that met a mood. */
  failures = 0;
  /** Transactions that have ended. */
  ended = 0;
  readonly database: Database;

  constructor(real: Database) {
    const meet = (mood: StorageMood) => this.#meet(mood);
    const moodOf = () => this.mood;
    const transaction = () => {
      const begun = real.db.transaction();
      const execute = async <T>(work: Parameters<typeof begun.execute<T>>[0]): Promise<T> => {
        const mood = moodOf();
        if (mood === "away") throw meet(mood);
        const result = await begun.execute(work);
        this.ended++;
        if (mood === "loses the answer") throw meet(mood);
        return result;
      };
      return { execute };
    };
    const db = new Proxy(real.db, {
      get: (target, name) => {
        if (name === "transaction") return transaction;
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    this.database = { ...real, db };
  }

  /** Resolves when that many more transactions have failed. */
  async untilFailed(times: number): Promise<void> {
    const until = this.failures + times;
    while (this.failures < until) await new Promise(setImmediate);
  }

  /** Resolves when that many more transactions have ended. */
  async untilEnded(times: number): Promise<void> {
    const until = this.ended + times;
    while (this.ended < until) await new Promise(setImmediate);
  }

  /** As the databases themselves say it. */
  #meet(mood: StorageMood): Error {
    this.failures++;
    const isSqlite = this.database.kind === "sqlite";
    const code = isSqlite ? "SQLITE_BUSY" : "08006";
    return Object.assign(new Error(`the storage ${mood}`), { code });
  }
}
