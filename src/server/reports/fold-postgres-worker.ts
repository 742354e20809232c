/** Runs inside the thread that PostgresFolder starts. */
import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";
import { connectionSettings, limitIdleTransactions } from "../database/postgres-pool.ts";
import { readIntegersAsNumbers } from "../database/postgres-types.ts";
import { stepBack } from "../lib/thread-priority.ts";
import { foldOnce } from "./fold-postgres.ts";

export interface FolderData {
  url: string;
}
export type FolderRequest = { id: number };
export type FolderReply = { id: number; error?: string };

/** Folding can wait; a report that arrives meanwhile cannot. */
const NICENESS = 10;

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
    while (await foldOnce(client));
  } catch (error) {
    connected = undefined;
    await client.end().catch(() => {
      // It is gone already.
    });
    throw error;
  }
}

let last = Promise.resolve();
parentPort?.on("message", ({ id }: FolderRequest) => {
  last = last.then(fold).then(
    () => parentPort?.postMessage({ id } satisfies FolderReply),
    (error: unknown) => {
      const { message } = error as Error;
      parentPort?.postMessage({ id, error: message } satisfies FolderReply);
    },
  );
});
