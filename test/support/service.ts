import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, inject } from "vitest";
import { parseConfig, type Config } from "../../src/server/config.ts";
import { createLogger, type Logger } from "../../src/server/lib/logger.ts";
import { createService, type Service, type ServiceOptions } from "../../src/server/service.ts";
import { systemTimekeeper } from "../../src/server/stun/timer-wheel.ts";
import { Client } from "./client.ts";
import { diagnosedWorld } from "./diagnosed-world.ts";
import { FakeNat } from "./fake-nat.ts";
import { ManualClock } from "./manual-clock.ts";
import { newPostgresDatabase } from "./postgres.ts";

export type DialectName = "sqlite" | "postgres";

/** The set-up secret of every test service. */
export const SETUP_SECRET = "the-set-up-secret-of-the-test-service";

export interface TestServiceOptions extends Omit<ServiceOptions, "clock"> {
  dialect?: DialectName;
  /** Settings without their prefix: `{ RATE_LIMIT: "on" }`. */
  env?: Record<string, string>;
  clock?: ManualClock;
}

/** A real service on a free port, with a storage of its own and a clock that the test moves. */
export class TestService extends Client {
  readonly clock: ManualClock;
  readonly config: Config;
  readonly #options: ServiceOptions;
  readonly #folder: string;
  #service: Service;

  private constructor(
    service: Service,
    config: Config,
    clock: ManualClock,
    options: ServiceOptions,
    folder: string,
  ) {
    super(() => this.#service.origin);
    this.clock = clock;
    this.config = config;
    this.#options = options;
    this.#folder = folder;
    this.#service = service;
  }

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const { dialect = "sqlite", env = {}, clock = new ManualClock(), ...rest } = options;
    const folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
    const config = parseConfig(await toEnvironment(folder, dialect, env));
    // As PostgreSQL's, it is a copy. Migrations have tests of their own.
    if (dialect === "sqlite") await copyFile(inject("sqliteTemplate"), join(folder, "waypost.db"));
    const diagnosis = diagnosedWorld();
    // Rules of tests reach nobody outside, unless the test says otherwise.
    const stun = new FakeNat(clock, systemTimekeeper).options;
    const serviceOptions = { clock, logger: quietLogger(), diagnosis, stun, ...rest };
    const service = await createService(config, serviceOptions);
    const test = new TestService(service, config, clock, serviceOptions, folder);
    await service.start();
    return test;
  }

  get service(): Service {
    return this.#service;
  }

  /** Moves the clock and lets the background work of that time happen. */
  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.#service.reports.runWorkersOnce();
  }

  /** Ends the process's service and starts a new one on the same storage, on another port. */
  async restart(): Promise<void> {
    await this.#service.stop();
    this.#service = await createService(this.config, this.#options);
    await this.#service.start();
  }

  async stop(): Promise<void> {
    this.close();
    await this.#service.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

export function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  return TestService.start(options);
}

/** What a suite that runs on both databases gets. */
export interface SuiteContext {
  dialect: DialectName;
  start: (options?: Omit<TestServiceOptions, "dialect">) => Promise<TestService>;
}

/** The same tests on SQLite and on PostgreSQL. */
export function describeOnBothDatabases(
  title: string,
  suite: (context: SuiteContext) => void,
): void {
  for (const dialect of ["sqlite", "postgres"] as const) {
    describe(`${title} (${dialect})`, () => {
      suite({ dialect, start: (options = {}) => startTestService({ ...options, dialect }) });
    });
  }
}

async function toEnvironment(
  folder: string,
  dialect: DialectName,
  env: Record<string, string>,
): Promise<Record<string, string>> {
  const settings: Record<string, string> = {
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: folder,
    JWT_SECRET: SETUP_SECRET,
    RATE_LIMIT: "off",
    ...(dialect === "postgres" ? { DATABASE_URL: await newPostgresDatabase() } : {}),
    ...env,
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`WAYPOST_${name}`, value]),
  );
}

/** Says nothing, unless the run asks for it with `LOG_LEVEL=debug`. */
function quietLogger(): Logger {
  return createLogger(process.env["LOG_LEVEL"] === "debug" ? "debug" : "silent");
}
