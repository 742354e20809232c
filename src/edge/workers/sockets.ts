import { connect } from "cloudflare:sockets";
import { DialError, type Connection, type Sockets } from "../../probe/sockets.ts";

/** TCP connections of a Workers isolate. */
export class WorkersSockets implements Sockets {
  async connect(address: string, port: number, signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    const connection = new PlainConnection(
      connect(
        { hostname: address.includes(":") ? `[${address}]` : address, port },
        // TLS, if any, begins later: the connecting is measured alone.
        { secureTransport: "starttls", allowHalfOpen: false },
      ),
    );
    const abort = () => connection.close();
    signal.addEventListener("abort", abort, { once: true });
    try {
      await connection.opened();
      return connection;
    } catch {
      connection.close();
      signal.throwIfAborted();
      throw new DialError("failed", "No connection opened; the platform does not say why");
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}

/** The two streams of a socket. */
abstract class SocketConnection implements Connection {
  protected readonly socket: Socket;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(socket: Socket) {
    this.socket = socket;
    // Whoever reads or writes hears of it.
    socket.closed.catch(() => {});
    this.#reader = (socket.readable as ReadableStream<Uint8Array>).getReader();
    this.#writer = (socket.writable as WritableStream<Uint8Array>).getWriter();
  }

  abstract secure(name: string | undefined): Promise<Connection>;

  async read(): Promise<Uint8Array | undefined> {
    const { value } = await this.#reader.read();
    return value;
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#writer.write(bytes);
  }

  close(): void {
    // A connection that breaks while it is closed is closed.
    this.socket.close().catch(() => {});
  }

  protected letGo(): void {
    this.#reader.releaseLock();
    this.#writer.releaseLock();
  }
}

class PlainConnection extends SocketConnection {
  #secured: SecuredConnection | undefined;

  async opened(): Promise<void> {
    await this.socket.opened;
  }

  async secure(name: string | undefined): Promise<Connection> {
    this.letGo();
    this.#secured = new SecuredConnection(
      this.socket.startTls(name === undefined ? {} : { expectedServerHostname: name }),
    );
    return this.#secured;
  }

  override close(): void {
    if (this.#secured) this.#secured.close();
    else super.close();
  }
}

/**
 * The platform insists on a valid certificate and tells only by a connection that ends. So one that
 * ends before the first byte has come says nothing about the other side.
 */
class SecuredConnection extends SocketConnection {
  #hasSpoken = false;

  async secure(): Promise<Connection> {
    throw new Error("the connection is secure already");
  }

  override async read(): Promise<Uint8Array | undefined> {
    const bytes = await this.#unlessUntrusted(super.read());
    if (bytes === undefined && !this.#hasSpoken) throw untrusted();
    this.#hasSpoken = true;
    return bytes;
  }

  override write(bytes: Uint8Array): Promise<void> {
    return this.#unlessUntrusted(super.write(bytes));
  }

  async #unlessUntrusted<T>(done: Promise<T>): Promise<T> {
    try {
      return await done;
    } catch (error) {
      throw this.#hasSpoken ? error : untrusted();
    }
  }
}

function untrusted(): DialError {
  return new DialError("failed", "No TLS connection: the platform accepts valid certificates only");
}
