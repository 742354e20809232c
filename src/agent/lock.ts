import { createHash } from "node:crypto";
import { createServer, type Server } from "node:net";

/** Another agent works with this journal. */
export class LockedError extends Error {}

/**
 * Makes sure that this process alone counts with a journal. The kernel ends it with the process,
 * however that ends. Only Linux and Windows have names for it; elsewhere there is no lock.
 * @param path of the journal, absolute
 * @throws LockedError
 */
export async function lockJournal(path: string, platform: string): Promise<Server | undefined> {
  const name = `waypost-agent-${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
  const prefix = { linux: "\0", win32: "\\\\.\\pipe\\" }[platform];
  if (prefix === undefined) return undefined;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      reject(isTaken ? new LockedError(`Another agent works with ${path}`) : error);
    });
    server.listen(`${prefix}${name}`, resolve);
  });
  return server.unref();
}
