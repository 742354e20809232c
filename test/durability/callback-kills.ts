import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { CallbackStage } from "../support/callback-stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ProviderServer } from "../support/provider-server.ts";
import type { DialectName } from "../support/service.ts";

const program = fileURLToPath(new URL("./callback-crasher.ts", import.meta.url));
const TASKS = 2;
const AT_ONCE = 3;
/** All pauses of the schedule, one after the other. */
const TRIES = 7;
const LONGEST_PAUSE_MS = 3_600_000;

/** One change on its way to two targets, of which one refuses it at first. */
class Delivery {
  readonly target: ProviderServer;
  readonly #dialect: DialectName;
  readonly #folder: string;
  readonly #place: string;

  private constructor(target: ProviderServer, dialect: DialectName, folder: string, place: string) {
    this.target = target;
    this.#dialect = dialect;
    this.#folder = folder;
    this.#place = place;
  }

  static async prepare(dialect: DialectName): Promise<Delivery> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-crash-"));
    const place = dialect === "sqlite" ? join(folder, "waypost.db") : await newPostgresDatabase();
    const target = await ProviderServer.listen();
    const delivery = new Delivery(target, dialect, folder, place);
    await delivery.#onStorage(async (stage) => {
      const rule = await stage.addRule();
      await stage.addTasks(rule, await stage.addAccount(`${target.url}/hook`), TASKS);
    });
    target.failNext({ status: 500 });
    return delivery;
  }

  /** @returns the names of the points; undefined when the process was killed, as it was to be */
  async run(crashAt: number): Promise<string[] | undefined> {
    const child = spawn(process.execPath, [program, this.#place, String(crashAt)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
    if (child.signalCode === "SIGKILL") return undefined;
    if (child.exitCode !== 0) throw new Error(`the process ended with ${child.exitCode}`);
    return JSON.parse(said) as string[];
  }

  /** The next start; then what became of the change. @returns what is wrong with that */
  async recover(): Promise<string[]> {
    return this.#onStorage(async (stage, clock) => {
      const before = await stage.runs();
      const isStored = (await mappingOf(stage.database)) === 2;
      const wrong = before.length === (isStored ? TASKS : 0) ? [] : ["runs without a change"];
      await stage.callbacks.start();
      if (!isStored) await stage.change(1, 2);
      for (let n = 0; n < TRIES; n++) {
        await stage.callbacks.runWorkersOnce();
        clock.advance(LONGEST_PAUSE_MS);
      }
      const runs = await stage.runs();
      if (runs.length !== TASKS) wrong.push(`${runs.length} runs`);
      for (const { id } of runs) wrong.push(...(await this.#wrongWith(stage, id)));
      return wrong;
    });
  }

  async close(): Promise<void> {
    await this.target.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #wrongWith(stage: CallbackStage, id: number): Promise<string[]> {
    const run = await stage.callbacks.service.get(id);
    const sent = this.target.received.filter(
      ({ body }) => (JSON.parse(body.toString()) as { run_id: number }).run_id === id,
    ).length;
    const interrupted = run.attempts.filter((each) => each.error_class === "interrupted").length;
    const refused = run.attempts.filter((each) => each.error_class === "http_500").length;
    const claims: Record<string, boolean> = {
      [`it is ${run.status}`]: run.status === "succeeded",
      [`${run.attempts.length} of ${run.attempt_count} tries are on record`]:
        run.attempts.length === run.attempt_count,
      [`${run.attempt_count} tries`]: run.attempt_count === 1 + interrupted + refused,
      [`${interrupted} tries were interrupted`]: interrupted <= 1,
      [`it was sent ${sent} times`]: sent >= 1 + refused && sent <= run.attempt_count,
    };
    return Object.entries(claims).flatMap(([claim, isTrue]) =>
      isTrue ? [] : [`run ${id}: ${claim}`],
    );
  }

  async #onStorage<T>(work: (stage: CallbackStage, clock: ManualClock) => Promise<T>): Promise<T> {
    const clock = new ManualClock();
    const database = await openDatabase(
      this.#dialect === "sqlite"
        ? { dialect: "sqlite", file: this.#place }
        : { dialect: "postgres", url: this.#place },
      clock,
      createLogger("silent"),
    );
    const stage = new CallbackStage({ database, clock });
    try {
      return await work(stage, clock);
    } finally {
      await stage.close();
      await database.close();
    }
  }
}

async function mappingOf({ db }: Database): Promise<number> {
  const row = await db
    .selectFrom("stun_mappings")
    .select("public_port")
    .where("rule_id", "=", 1)
    .executeTakeFirstOrThrow();
  return row.public_port;
}

async function namesOfPoints(dialect: DialectName): Promise<string[]> {
  const delivery = await Delivery.prepare(dialect);
  try {
    const names = await delivery.run(-1);
    if (!names) throw new Error("the process was killed at no point");
    return names;
  } finally {
    await delivery.close();
  }
}

async function survive(dialect: DialectName, point: number, name: string): Promise<string[]> {
  const delivery = await Delivery.prepare(dialect);
  try {
    const names = await delivery.run(point);
    // How often the dispatcher looks for more depends on what comes first.
    if (names && names.length > point) return [`not killed before ${name} (${point})`];
    return (await delivery.recover()).map((wrong) => `killed before ${name} (${point}): ${wrong}`);
  } finally {
    await delivery.close();
  }
}

/** What dies before it reads has left what one leaves that dies before it writes or sends next. */
const READING = /^(begin|select)/;

/**
 * The test of kills at points of a delivery.
 * @param before every step, or those that change something outside of the process
 */
export function testCallbackKills(
  dialects: readonly DialectName[],
  deadlineMs: number,
  before: "every step" | "effects",
): void {
  it.each(dialects)(
    "kill -9 between any two steps of a delivery loses no run and repeats at most the try under way (%s)",
    async (dialect) => {
      const names = await namesOfPoints(dialect);
      const steps = ["insert stun_changes", "insert callback_runs", "commit", "request", "answer"];
      expect(names).toEqual(expect.arrayContaining(steps));
      const points = names
        .map((name, point) => ({ name, point }))
        .filter(({ name }) => before === "every step" || !READING.test(name));
      const wrong: string[] = [];
      const work = async () => {
        for (let next = points.shift(); next; next = points.shift()) {
          wrong.push(...(await survive(dialect, next.point, next.name)));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      expect(wrong).toEqual([]);
    },
    deadlineMs,
  );
}
