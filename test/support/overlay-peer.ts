import { EventEmitter, once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { WebSocketServer, type WebSocket } from "ws";
import { ChoppedDuplex } from "./chopped-duplex.ts";
import { OverlayNode, type Caller, type Network, type NodeMode } from "./overlay-node.ts";
import { selfSigned } from "./self-signed.ts";

/** What happens before any packet can flow. */
export type LineMode =
  | "works"
  /** Takes the connection and says nothing. */
  | "silent"
  | "closes"
  | "resets"
  /** Not an overlay node: a web server. */
  | "web-server"
  /** Every byte of the answers in a segment of its own. */
  | "chopped"
  /** A byte at a time, forever, at this many milliseconds. */
  | { dripMs: number; bytes: Buffer };

export interface OverlayPeerOptions {
  transport?: "tcp" | "ws" | "wss";
  host?: string;
  port?: number;
  network?: Network;
  mode?: NodeMode;
  foreign?: "relay" | "refuse";
  line?: LineMode;
}

/** An overlay node of our own making, on a loopback address. */
export class OverlayPeer {
  /** Every connection so far, in the order they came. */
  readonly nodes: OverlayNode[] = [];
  connectionCount = 0;
  /** What those who spoke TLS called the server. */
  readonly serverNames: (string | false)[] = [];
  readonly #options: Required<OverlayPeerOptions>;
  readonly #server: Server;
  readonly #web: HttpServer;
  readonly #open = new Set<Socket>();
  readonly #closes = new EventEmitter();

  private constructor(options: OverlayPeerOptions) {
    this.#options = {
      transport: "tcp",
      host: "127.0.0.1",
      port: 0,
      network: { name: "net", secret: "secret" },
      mode: "member",
      foreign: "refuse",
      line: "works",
      ...options,
    };
    this.#server = createServer((socket) => this.#accept(socket));
    this.#web = createHttpServer((_request, response) => response.end("hello"));
    const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    if (this.#options.line !== "web-server") {
      this.#web.on("upgrade", (request, stream: Duplex, head: Buffer) =>
        sockets.handleUpgrade(request, stream, head, (socket) => this.#talkInMessages(socket)),
      );
    }
  }

  static async listen(options: OverlayPeerOptions = {}): Promise<OverlayPeer> {
    const peer = new OverlayPeer(options);
    const { host, port } = peer.#options;
    peer.#server.listen(port, host);
    await once(peer.#server, "listening");
    return peer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** `<transport>://<host>:<port>` */
  get address(): string {
    const { transport, host } = this.#options;
    return `${transport}://${host.includes(":") ? `[${host}]` : host}:${this.port}`;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Once every connection that came so far is closed. */
  async allClosed(): Promise<void> {
    while (this.#open.size > 0) await once(this.#closes, "close");
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.connectionCount += 1;
    this.#open.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => {
      this.#open.delete(socket);
      this.#closes.emit("close");
    });
    // Whoever checks may leave in any way it likes.
    socket.on("error", () => {});
    const { line } = this.#options;
    if (line === "silent") socket.resume();
    else if (line === "closes") socket.resume().end();
    else if (line === "resets") socket.resetAndDestroy();
    else if (typeof line === "object") drip(socket, line);
    else this.#connect(line === "chopped" ? new ChoppedDuplex(socket) : socket);
  }

  #connect(stream: Duplex): void {
    const { transport, line } = this.#options;
    if (transport === "tcp" && line !== "web-server") this.#talkInFrames(stream);
    else if (transport !== "wss") this.#web.emit("connection", stream);
    else {
      const secured = new TLSSocket(stream, { isServer: true, ...selfSigned });
      secured.on("error", () => stream.destroy());
      secured.on("secure", () => this.serverNames.push(nameAskedOf(secured)));
      this.#web.emit("connection", secured);
    }
  }

  #talkInFrames(stream: Duplex): void {
    const node = this.#meet({
      send: (...packets) => stream.write(Buffer.concat(packets.map(framed))),
      sendRaw: (bytes) => stream.write(bytes),
      hangUp: () => stream.end(),
    });
    let held = Buffer.alloc(0);
    stream.on("data", (bytes: Buffer) => {
      held = Buffer.concat([held, bytes]);
      while (held.length >= 4 && held.length >= 4 + held.readUInt32LE(0)) {
        const end = 4 + held.readUInt32LE(0);
        const packet = held.subarray(4, end);
        held = held.subarray(end);
        node.hear(packet);
      }
    });
  }

  #talkInMessages(socket: WebSocket): void {
    socket.on("error", () => socket.terminate());
    const node = this.#meet({
      send: (...packets) => {
        for (const packet of packets) socket.send(packet);
      },
      sendRaw: (bytes) => socket.send(bytes),
      hangUp: () => socket.close(),
    });
    socket.on("message", (data) => node.hear(data as Buffer));
  }

  #meet(caller: Caller): OverlayNode {
    const node = new OverlayNode(this.#options, caller);
    this.nodes.push(node);
    return node;
  }
}

/** False when none was asked for. The declarations of Node leave the property out. */
function nameAskedOf(socket: TLSSocket): string | false {
  return (socket as TLSSocket & { servername: string | false }).servername;
}

function framed(packet: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packet.length);
  return Buffer.concat([length, packet]);
}

function drip(socket: Socket, { dripMs, bytes }: { dripMs: number; bytes: Buffer }): void {
  let at = 0;
  socket.resume();
  const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), dripMs);
  socket.on("close", () => clearInterval(timer));
}
