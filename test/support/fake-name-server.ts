import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";

type Answer = (question: Buffer) => Buffer | undefined;

/** A name server that a test writes the answers of, byte by byte; undefined keeps silent. */
export class FakeNameServer {
  readonly port: number;
  readonly datagrams: Buffer[] = [];
  readonly streams: Buffer[] = [];
  readonly #socket: Socket;
  readonly #server: Server;

  private constructor(socket: Socket, server: Server, byDatagram: Answer, byStream: Answer) {
    this.#socket = socket;
    this.#server = server;
    this.port = socket.address().port;
    socket.on("message", (question, from) => {
      this.datagrams.push(question);
      const answer = byDatagram(question);
      if (answer) socket.send(answer, from.port, from.address);
    });
    server.on("connection", (connection) => {
      connection.on("error", () => {});
      connection.on("data", (bytes) => {
        this.streams.push(bytes);
        const answer = byStream(bytes.subarray(2));
        if (!answer) return;
        const length = Buffer.from([answer.length >> 8, answer.length & 0xff]);
        // In pieces, as a network may deliver it.
        connection.write(length);
        setImmediate(() => connection.end(answer));
      });
    });
  }

  static async listen(
    byDatagram: Answer,
    byStream: Answer = () => undefined,
  ): Promise<FakeNameServer> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = createSocket("udp4");
    socket.bind((server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "listening");
    return new FakeNameServer(socket, server, byDatagram, byStream);
  }

  async close(): Promise<void> {
    this.#socket.close();
    this.#server.close();
    await once(this.#server, "close");
  }
}
