import { connect, type Socket } from "node:net";

/** What came back on one connection. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A TCP connection on which a test may send what no HTTP client would. */
export class RawConnection {
  readonly #socket: Socket;
  readonly #ended: Promise<string>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      received += text;
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#ended = promise;
    // A reset is an end like any other here.
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  }

  static async open(origin: string): Promise<RawConnection> {
    const { hostname, port } = new URL(origin);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = connect(Number(port), hostname, resolve);
    socket.once("error", reject);
    await promise;
    socket.off("error", reject);
    return new RawConnection(socket);
  }

  send(data: string | Uint8Array): void {
    this.#socket.write(data);
  }

  /** Everything received once the service has closed the connection. */
  received(): Promise<string> {
    return this.#ended;
  }

  /** The first answer, once the service has closed the connection. */
  async answer(): Promise<RawAnswer> {
    return parseAnswer(await this.#ended);
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Sends one request, whose last header must be `Connection: close`, and takes the answer. */
export async function exchange(origin: string, data: string | Uint8Array): Promise<RawAnswer> {
  const connection = await RawConnection.open(origin);
  connection.send(data);
  return connection.answer();
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.from(text.slice(end + 4), "latin1").toString("utf8"),
  };
}
