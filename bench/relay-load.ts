import { createSocket, type Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** What arrived at the target in a slice, and how long small messages took there and back. */
export interface Delivered {
  count: number;
  errors: number;
  timesMs: number[];
}

const CHUNK = Buffer.alloc(65_536, "x");
/** What a connection begins with says what the target does with it. */
const kinds = { toTarget: "s", toClients: "f", echo: "e" } as const;
type Kind = keyof typeof kinds;
export type Direction = Exclude<Kind, "echo">;

const PACKET_BYTES = 1_200;
/** Packets of all clients together that are on their way: less than any buffer between holds. */
const IN_FLIGHT = 64;
/** A packet that did not come back by then is lost, and replaced. */
const LOST_AFTER_MS = 200;

/** The other end of the streams. */
export class StreamTarget {
  #received = 0;
  readonly #server = createServer((socket) => this.#serve(socket));

  async open(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }

  /** Streams through `port` for some seconds, as fast as it takes them; counts bytes. */
  async flood(
    port: number,
    direction: Direction,
    streams: number,
    seconds: number,
  ): Promise<Delivered> {
    this.#received = 0;
    const sockets = await Promise.all(Array.from({ length: streams }, () => dial(port, direction)));
    const echo = await dial(port, "echo");
    const timesMs = echoTimes(echo);
    for (const socket of sockets) {
      if (direction === "toTarget") pump(socket);
      else this.#count(socket);
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const count = this.#received;
    for (const socket of [...sockets, echo]) socket.destroy();
    return { count, errors: 0, timesMs };
  }

  #serve(socket: Socket): void {
    socket.setNoDelay(true).on("error", ignore);
    socket.once("data", (first) => {
      const kind = first.toString("latin1", 0, 1);
      if (kind === kinds.toTarget) this.#count(socket);
      else if (kind === kinds.toClients) pump(socket);
      else {
        socket.write(first);
        socket.pipe(socket);
      }
    });
  }

  #count(socket: Socket): void {
    socket.on("data", (bytes) => (this.#received += bytes.length));
  }
}

async function dial(port: number, kind: Kind): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", ignore);
  await once(socket, "connect");
  socket.write(kinds[kind]);
  return socket;
}

function pump(socket: Socket): void {
  const write = () => {
    while (socket.write(CHUNK));
  };
  socket.on("drain", write);
  write();
}

/** Sends one byte again and again; the times grow while the connection lives. */
function echoTimes(socket: Socket): number[] {
  const times: number[] = [];
  // The first byte, sent before, says that this is an echo.
  let sentAt = performance.now();
  socket.on("data", () => {
    times.push(performance.now() - sentAt);
    setTimeout(() => {
      sentAt = performance.now();
      socket.write("x");
    }, 1);
  });
  return times;
}

/** A datagram target that sends everything back. */
export class PacketTarget {
  readonly #socket = createSocket("udp4");

  async open(): Promise<number> {
    this.#socket.on("message", (bytes, { port }) => this.#socket.send(bytes, port, "127.0.0.1"));
    this.#socket.bind(0, "127.0.0.1");
    await once(this.#socket, "listening");
    return this.#socket.address().port;
  }

  close(): void {
    this.#socket.close();
  }
}

/** Sends packets there and back through `port`; each that returns releases the next. */
export async function bounce(port: number, clients: number, seconds: number): Promise<Delivered> {
  const delivered: Delivered = { count: 0, errors: 0, timesMs: [] };
  const players = await Promise.all(
    Array.from({ length: clients }, () => Player.open(port, IN_FLIGHT / clients, delivered)),
  );
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  for (const player of players) player.close();
  return delivered;
}

class Player {
  readonly #socket: Datagrams;
  readonly #delivered: Delivered;
  readonly #inFlight: number;
  readonly #watch: NodeJS.Timeout;
  #packet = Buffer.alloc(PACKET_BYTES);
  #heardAt = performance.now();
  #isOpen = false;

  private constructor(socket: Datagrams, inFlight: number, delivered: Delivered) {
    this.#socket = socket;
    this.#inFlight = Math.max(1, Math.floor(inFlight));
    this.#delivered = delivered;
    this.#watch = setInterval(() => this.#replaceLost(), LOST_AFTER_MS);
    socket.on("message", (bytes) => this.#onReturn(bytes));
    // One that has come back shows that the way is open: some relays lose what comes before.
    this.#send();
  }

  static async open(port: number, inFlight: number, delivered: Delivered): Promise<Player> {
    const socket = createSocket("udp4").on("error", ignore);
    socket.connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new Player(socket, inFlight, delivered);
  }

  close(): void {
    clearInterval(this.#watch);
    this.#socket.close();
  }

  #sendAll(): void {
    for (let sent = 0; sent < this.#inFlight; sent++) this.#send();
  }

  #send(): void {
    this.#packet = Buffer.alloc(PACKET_BYTES);
    this.#packet.writeDoubleBE(performance.now());
    this.#socket.send(this.#packet);
  }

  #onReturn(bytes: Buffer): void {
    this.#heardAt = performance.now();
    this.#delivered.count++;
    this.#delivered.timesMs.push(this.#heardAt - bytes.readDoubleBE());
    if (this.#isOpen) return this.#send();
    this.#isOpen = true;
    this.#sendAll();
  }

  #replaceLost(): void {
    if (performance.now() - this.#heardAt < LOST_AFTER_MS) return;
    if (this.#isOpen) this.#delivered.errors += this.#inFlight;
    this.#isOpen = false;
    this.#send();
  }
}

function ignore(): void {}
