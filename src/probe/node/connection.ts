import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Connection } from "../sockets.ts";

/** A server's name must be sent, and this is what overlay nodes call themselves. */
const NAMELESS = "localhost";

/** A connected socket of Node. What is not read stays in the system's buffers. */
export class NodeConnection implements Connection {
  readonly #socket: Socket;
  #failure: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Kept for whoever reads or writes next.
    socket.on("error", (error) => (this.#failure ??= error));
  }

  async read(): Promise<Uint8Array | undefined> {
    const socket = this.#socket;
    for (;;) {
      if (this.#failure) throw this.#failure;
      const bytes = socket.read() as Buffer | null;
      if (bytes !== null) return bytes;
      if (socket.readableEnded) return undefined;
      if (socket.destroyed) throw new Error("the connection is closed");
      await nextChange(socket);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#socket.write(bytes, (error) => {
      if (error) written.reject(error);
      else written.resolve();
    });
    await written.promise;
  }

  async secure(name: string | undefined): Promise<Connection> {
    const secured = Promise.withResolvers<void>();
    const socket = connectTls({
      socket: this.#socket,
      servername: name ?? NAMELESS,
      rejectUnauthorized: false,
    });
    const connection = new NodeConnection(socket);
    const closed = () => secured.reject(new Error("the connection is closed"));
    socket.once("secureConnect", secured.resolve).once("error", secured.reject);
    socket.once("close", closed);
    try {
      await secured.promise;
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      socket.off("secureConnect", secured.resolve).off("error", secured.reject);
      socket.off("close", closed);
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

const changes = ["readable", "end", "close", "error"] as const;

/** Until there may be something to read, or nothing ever again. */
async function nextChange(socket: Socket): Promise<void> {
  const changed = Promise.withResolvers<void>();
  const resolve = () => changed.resolve();
  for (const change of changes) socket.on(change, resolve);
  await changed.promise;
  for (const change of changes) socket.off(change, resolve);
}
