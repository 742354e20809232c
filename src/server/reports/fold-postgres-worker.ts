/** Runs inside the thread that PostgresFolder starts. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";
import { connectionSettings, limitIdleTransactions } from "../database/postgres-pool.ts";
import { readIntegersAsNumbers } from "../database/postgres-types.ts";
import { stepBack } from "../lib/thread-priority.ts";
import { foldOnce, type Statements } from "./fold-postgres.ts";

export interface FolderData {
  url: string;
}
/** An unhurried fold takes its time, so that the commits beside it do not wait long. */
export type FolderRequest = { id: number; hurry: boolean };
export type FolderReply = { id: number; error?: string };

/** Folding can wait; a report that arrives meanwhile cannot. */
const NICENESS = 10;
/** How much longer than a statement took an unhurried fold waits before the next, and at most. */
const REST = 3;
const LONGEST_REST_MS = 30;

stepBack(NICENESS);
readIntegersAsNumbers();
const { url } = workerData as FolderData;
const settings: pg.ClientConfig = {
  ...connectionSettings(url),
  // Other instances may fold for long before it is our turn.
  query_timeout: 60_000,
  application_name: "waypost fold",
};
let connected: pg.Client | undefined;
/** Requests that somebody waits for. */
let urgent = 0;

/** The connection, with a rest after each statement unless somebody waits for the fold. */
function unhurried(client: pg.Client): Statements {
  const query = async (...statement: [string]) => {
    const startedAt = performance.now();
    const result = await client.query(...statement);
    const took = performance.now() - startedAt;
    if (urgent === 0) await sleep(Math.min(took * REST, LONGEST_REST_MS));
    return result;
  };
  return { query: query as pg.ClientBase["query"] };
}

async function open(client: pg.Client): Promise<void> {
  // A lost connection shows in the query that uses it; this one is only replaced.
  client.on("error", () => (connected = undefined));
  await client.connect();
  await limitIdleTransactions(client);
  connected = client;
}

/** Any failure ends the connection, and with it the transaction. */
async function fold(): Promise<void> {
  const client = connected ?? new pg.Client(settings);
  try {
    if (client !== connected) await open(client);
    while (await foldOnce(unhurried(client)));
  } catch (error) {
    connected = undefined;
    await client.end().catch(() => {
      // It is gone already.
    });
    throw error;
  }
}

let last = Promise.resolve();
parentPort?.on("message", ({ id, hurry }: FolderRequest) => {
  if (hurry) urgent++;
  last = last
    .then(fold)
    .finally(() => {
      if (hurry) urgent--;
    })
    .then(
      () => parentPort?.postMessage({ id } satisfies FolderReply),
      (error: unknown) => {
        const { message } = error as Error;
        parentPort?.postMessage({ id, error: message } satisfies FolderReply);
      },
    );
});
