import { createSocket, type RemoteInfo, type Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** What a request looked like, and from where it came. */
export interface SeenRequest {
  id: Buffer;
  bytes: Buffer;
  address: string;
  port: number;
  at: number;
}

/** Answers with the packets that go back, in order; none = silence. */
export type Answering = (request: SeenRequest) => Buffer[];

const MOST_TRIES = 20;

/** A STUN server on loopback that speaks UDP and TCP on one port and does as the test says. */
export class StunServer {
  readonly requests: SeenRequest[] = [];
  /** TCP connections that came, and how they ended so far. */
  readonly connections: Socket[] = [];
  resets = 0;
  answer: Answering = (request) => [success(request.id, request.address, request.port)];
  /** How bytes go onto a TCP connection. */
  writeTcp: (socket: Socket, bytes: Buffer) => void = (socket, bytes) => socket.write(bytes);
  readonly #udp: Datagrams = createSocket("udp4");
  readonly #tcp: Server = createServer((socket) => this.#serve(socket));
  #port = 0;

  static async start(): Promise<StunServer> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const server = new StunServer();
      if (await server.#bind()) return server;
      await server.stop();
    }
    throw new Error("No port is free for TCP and UDP");
  }

  get endpoint(): { address: string; port: number } {
    return { address: "127.0.0.1", port: this.#port };
  }

  /** Sends a datagram from the server's own address. */
  send(bytes: Buffer, port: number, address = "127.0.0.1"): void {
    this.#udp.send(bytes, port, address);
  }

  async stop(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    this.#udp.close();
    this.#tcp.close();
    await Promise.all([once(this.#udp, "close"), once(this.#tcp, "close")]);
  }

  /** Whether the port that TCP got is free for UDP, too. */
  async #bind(): Promise<boolean> {
    this.#tcp.listen(0, "127.0.0.1");
    await once(this.#tcp, "listening");
    this.#port = (this.#tcp.address() as AddressInfo).port;
    this.#udp.on("message", (bytes, from) => this.#onDatagram(bytes, from));
    this.#udp.bind(this.#port, "127.0.0.1");
    return once(this.#udp, "listening").then(
      () => true,
      () => false,
    );
  }

  #onDatagram(bytes: Buffer, { address, port }: RemoteInfo): void {
    for (const packet of this.#answerTo(bytes, address, port)) this.send(packet, port, address);
  }

  #serve(socket: Socket): void {
    this.connections.push(socket);
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET") this.resets++;
    });
    socket.on("data", (bytes) => {
      const { remoteAddress = "", remotePort = 0 } = socket;
      for (const packet of this.#answerTo(bytes, remoteAddress, remotePort)) {
        this.writeTcp(socket, packet);
      }
    });
  }

  #answerTo(bytes: Buffer, address: string, port: number): Buffer[] {
    const id = bytes.subarray(8, 20);
    const request = { id, bytes, address, port, at: performance.now() };
    this.requests.push(request);
    return this.answer(request);
  }
}

/** A Binding success with an XOR-MAPPED-ADDRESS of IPv4, written by hand. */
export function success(id: Buffer, address: string, port: number): Buffer {
  const cookie = [0x21, 0x12, 0xa4, 0x42];
  const octets = address.split(".").map((octet, index) => Number(octet) ^ (cookie[index] ?? 0));
  const xoredPort = port ^ 0x2112;
  const header = [0x01, 0x01, 0x00, 0x0c, ...cookie, ...id];
  const attribute = [0x00, 0x20, 0x00, 0x08, 0x00, 0x01, xoredPort >> 8, xoredPort & 0xff];
  return Buffer.from([...header, ...attribute, ...octets]);
}

/** A Binding error. */
export function failure(id: Buffer, code: number, reason: string): Buffer {
  const text = Buffer.from(reason);
  const length = 4 + text.length;
  const padding = Buffer.alloc((4 - (length % 4)) % 4);
  const body = [0x00, 0x09, 0x00, length, 0, 0, Math.floor(code / 100), code % 100];
  const total = body.length + text.length + padding.length;
  const head = [0x01, 0x11, 0x00, total, 0x21, 0x12, 0xa4, 0x42, ...id];
  return Buffer.concat([Buffer.from([...head, ...body]), text, padding]);
}
