/** Runs inside the thread that PostgresFolder starts. */
import { parentPort, workerData } from "node:worker_threads";
import pg from "pg";
import { readIntegersAsNumbers } from "../database/postgres-types.ts";
import { foldOnce } from "./fold-postgres.ts";

export interface FolderData {
  url: string;
}
export type FolderRequest = { id: number };
export type FolderReply = { id: number; error?: string };

readIntegersAsNumbers();
const { url } = workerData as FolderData;
let connected: pg.Client | undefined;

async function connect(): Promise<pg.Client> {
  if (connected) return connected;
  const client = new pg.Client({
    connectionString: url,
    application_name: "waypost fold",
    connectionTimeoutMillis: 5_000,
  });
  // A lost connection shows in the query that uses it; this one is only replaced.
  client.on("error", () => (connected = undefined));
  await client.connect();
  connected = client;
  return client;
}

async function fold(): Promise<void> {
  const client = await connect();
  try {
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
