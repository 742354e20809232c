import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger, type Logger } from "../../src/server/lib/logger.ts";
import type { ChangeSubscriber } from "../../src/server/stun/change-port.ts";
import { parseHostPort } from "../../src/server/lib/host-port.ts";
import type { NewRuleSettings } from "../../src/server/stun/input.ts";
import type { RuleSettings } from "../../src/server/stun/rule.ts";
import type { Neighbours } from "../../src/server/stun/stand-ins.ts";
import { Stun } from "../../src/server/stun/stun.ts";
import type { Rule } from "../../src/shared/api/stun.ts";
import { FakeNat } from "./fake-nat.ts";
import { ManualClock } from "./manual-clock.ts";
import { ManualTime } from "./manual-time.ts";
import { newPostgresDatabase } from "./postgres.ts";
import { seededChance } from "./seeded-chance.ts";
import type { DialectName } from "./service.ts";

export const SERVERS = ["198.51.100.1:3478", "198.51.100.2:3478", "198.51.100.3:3478"];
const CALLER = { userId: 1, email: "admin@example.com", isAdmin: true };

/** What the storage does to transactions. */
type StorageMood = "fine" | "away" | "loses the answer";

export interface BootOptions {
  instance?: string;
  subscriber?: ChangeSubscriber;
  servers?: string[];
  names?: Record<string, string[]>;
  neighbours?: Neighbours;
  /** Of a host of its own. */
  nat?: FakeNat;
  logger?: Logger;
}

/** Rules on a real storage, holes without sockets, and a time that the test moves. */
export class StunWorld {
  readonly clock = new ManualClock();
  readonly time = new ManualTime();
  readonly nat = new FakeNat(this.clock, this.time);
  readonly database: Database;
  mood: StorageMood = "fine";
  readonly #running = new Set<Stun>();
  readonly #folder: string;

  private constructor(database: Database, folder: string) {
    this.database = database;
    this.#folder = folder;
  }

  static async open(dialect: DialectName): Promise<StunWorld> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
    const target =
      dialect === "sqlite"
        ? ({ dialect, file: join(folder, "waypost.db") } as const)
        : ({ dialect, url: await newPostgresDatabase() } as const);
    const database = await openDatabase(target, new ManualClock(), createLogger("silent"));
    return new StunWorld(database, folder);
  }

  /** Starts an instance, as the start of a process does; its workers run when they are told. */
  async boot(options: BootOptions = {}): Promise<Stun> {
    const { instance = "main", neighbours, subscriber, servers = SERVERS, names = {} } = options;
    const stun = new Stun({
      config: { instance, stunServers: servers.flatMap((each) => parseHostPort(each) ?? []) },
      database: this.#moody(),
      clock: this.clock,
      logger:
        options.logger ?? createLogger(process.env["LOG_LEVEL"] === "debug" ? "debug" : "silent"),
      ownListener: () => ({ host: "127.0.0.1", port: 8080 }),
      options: {
        createHole: (options.nat ?? this.nat).createHole,
        resolver: { resolve: async (name) => names[name] ?? [] },
        time: this.time,
        chance: seededChance(11),
      },
      neighbours,
      ...(subscriber && { subscriber }),
    });
    this.#running.add(stun);
    await stun.watcher.sync();
    return stun;
  }

  async stop(stun: Stun): Promise<void> {
    this.#running.delete(stun);
    await stun.stop();
  }

  /** Both clocks move on; what happens meanwhile has happened afterwards. */
  async advance(ms: number): Promise<void> {
    const start = this.time.now();
    const clockStart = this.clock.now();
    await this.time.advance(ms, async () => {
      this.clock.advance(clockStart + (this.time.now() - start) - this.clock.now());
      await turn();
    });
    for (const stun of this.#running) await stun.watcher.settle();
  }

  async create(stun: Stun, settings: Partial<NewRuleSettings> = {}): Promise<Rule> {
    return stun.service.create(CALLER, { name: "home", transport: "udp", ...settings });
  }

  change(stun: Stun, id: number, settings: Partial<RuleSettings>): Promise<Rule> {
    return stun.service.change(CALLER, id, settings);
  }

  remove(stun: Stun, id: number): Promise<void> {
    return stun.service.remove(CALLER, id);
  }

  /** The addresses of a rule's changes, oldest first. */
  async changesOf(stun: Stun, id: number): Promise<string[]> {
    const changes = await stun.service.listChanges(id, { limit: 100 });
    return changes
      .toReversed()
      .map((each) => `${each.public_ip}:${each.public_port} ${each.changed.join("+")}`.trimEnd());
  }

  async close(): Promise<void> {
    this.mood = "fine";
    for (const stun of this.#running) await this.stop(stun);
    await this.database.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The storage as the watcher sees it. */
  #moody(): Database {
    const { database } = this;
    const transaction = () => {
      const { mood } = this;
      const begun = database.db.transaction();
      const execute = async <T>(work: Parameters<typeof begun.execute<T>>[0]): Promise<T> => {
        if (mood === "away") throw new Error("the storage is away");
        const result = await begun.execute(work);
        if (mood === "loses the answer") throw new Error("the answer is lost");
        return result;
      };
      return { execute };
    };
    const db = new Proxy(database.db, {
      get: (real, name) => {
        if (name === "transaction") return transaction;
        const value = Reflect.get(real, name) as unknown;
        return typeof value === "function" ? (value.bind(real) as unknown) : value;
      },
    });
    return { ...database, db };
  }
}
