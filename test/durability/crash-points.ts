import pg from "pg";
import type { Database } from "../../src/server/database/database.ts";
import type { OutgoingHttp } from "../../src/server/lib/outgoing-http.ts";
import type { SecretKeyPlace } from "../../src/server/system/secret-key.ts";

/**
 * The points at which a process may die, by the name of the step that comes next: each statement, each
 * exchange with a target, and what is done with its answer.
 */
export class CrashPoints {
  readonly names: string[] = [];
  readonly #crashAt: number;
  #isWatching = false;

  /** @param crashAt the point at which the process is killed; -1 = at none */
  constructor(crashAt: number) {
    this.#crashAt = crashAt;
  }

  /** From now on each point counts. */
  watch(): void {
    this.#isWatching = true;
  }

  /** A point before every statement. */
  guardStorage(database: Database): void {
    if (database.kind === "sqlite") {
      const { thread } = database;
      const query = thread.query.bind(thread);
      thread.query = (sql, parameters) => this.#before(labelOf(sql), () => query(sql, parameters));
      return;
    }
    const { prototype } = pg.Client as unknown as { prototype: Record<string, unknown> };
    const query = prototype["query"] as (...all: unknown[]) => Promise<unknown>;
    const around = (sql: unknown, work: () => Promise<unknown>) =>
      typeof sql === "string" ? this.#before(labelOf(sql), work) : work();
    prototype["query"] = function guarded(this: unknown, ...all: unknown[]) {
      return around(all[0], () => query.apply(this, all));
    };
  }

  /** Points before and after every exchange. */
  guardHttp(http: OutgoingHttp): OutgoingHttp {
    const exchange = http.exchange.bind(http);
    http.exchange = (secrets, signal) => {
      const guarded = exchange(secrets, signal);
      const send = guarded.send.bind(guarded);
      guarded.send = async (request) => {
        const answer = await this.#before("request", () => send(request));
        await this.pass("answer");
        return answer;
      };
      return guarded;
    };
    return http;
  }

  /** A point before the file with the keys changes. */
  guardKeys(place: SecretKeyPlace): SecretKeyPlace {
    const { write } = place;
    if (!write) return place;
    return {
      ...place,
      write: (keys) => this.#before(`write ${keys.length} keys`, () => write(keys)),
    };
  }

  async #before<T>(label: string, work: () => Promise<T>): Promise<T> {
    await this.pass(label);
    return work();
  }

  /** A point of this name. */
  async pass(name: string): Promise<void> {
    if (!this.#isWatching) return;
    if (this.names.push(name) - 1 !== this.#crashAt) return;
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  }
}

/** `select callback_runs`, `commit`. */
function labelOf(sql: string): string {
  const words = sql.toLowerCase().replaceAll('"', "").trim().split(/\s+/);
  const verb = words[0] ?? "";
  const at = words.findIndex((word) => word === "from" || word === "into" || word === "update");
  const table = verb === "select" ? tableAfterSubqueries(words) : words[at + 1];
  return at === -1 || table === undefined ? verb : `${verb} ${table}`;
}

/** The table of a selection stands behind those that its columns ask. */
function tableAfterSubqueries(words: readonly string[]): string | undefined {
  const open: number[] = [];
  for (const [at, word] of words.entries()) {
    open.push((open.at(-1) ?? 0) + word.split("(").length - word.split(")").length);
    if (word === "from" && open[at] === 0) return words[at + 1];
  }
  return undefined;
}
