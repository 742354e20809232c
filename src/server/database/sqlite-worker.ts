/** Runs inside the thread that SqliteThread starts. */
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { openSqlite, type SqliteConnection, type SqliteResult } from "./sqlite-connection.ts";

export interface SqliteThreadData {
  file: string;
  /** Next to another process that has the file. */
  beside: boolean;
}

export type SqliteRequest =
  | { kind: "query"; sql: string; parameters: readonly unknown[] }
  | { kind: "attach"; module: string; port: MessagePort }
  | { kind: "close" };

export interface SqliteReply {
  id: number;
  result?: SqliteResult;
  error?: { code: string; message: string };
}

/** What a module that is loaded into the thread exports. */
export interface SqliteAttachment {
  attach(connection: SqliteConnection, port: MessagePort): Detach;
}
/** Called before the connection closes. */
export type Detach = () => void;

const main = parentPort;
if (!main) throw new Error("sqlite-worker.ts runs as a worker thread only");
const detachments: Detach[] = [];

function toError(error: unknown): { code: string; message: string } {
  const { code = "SQLITE_ERROR", message } = error as Error & { code?: string };
  return { code, message };
}

function reply(answer: SqliteReply): void {
  main?.postMessage(answer);
}

async function handle(
  connection: SqliteConnection,
  request: SqliteRequest & { id: number },
): Promise<void> {
  try {
    if (request.kind === "query") {
      reply({ id: request.id, result: connection.query(request.sql, request.parameters) });
    } else if (request.kind === "attach") {
      const module = (await import(request.module)) as SqliteAttachment;
      detachments.push(module.attach(connection, request.port));
      reply({ id: request.id });
    } else {
      for (const detach of detachments) detach();
      connection.close();
      reply({ id: request.id });
      main?.close();
    }
  } catch (error) {
    reply({ id: request.id, error: toError(error) });
  }
}

try {
  const { file, beside } = workerData as SqliteThreadData;
  const connection = openSqlite(file, beside);
  main.on("message", (request: SqliteRequest & { id: number }) => void handle(connection, request));
  reply({ id: 0 });
} catch (error) {
  reply({ id: 0, error: toError(error) });
}
