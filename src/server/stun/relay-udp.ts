import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import type { Endpoint } from "./endpoint.ts";
import type { Traffic } from "./hole.ts";
import { errorCodeOf } from "./system-error.ts";
import type { TargetAddress } from "./target-address.ts";

export interface UdpRelayLimits {
  /** A session without a packet for this long ends. */
  idleMs: number;
  sessions: number;
}

const defaultUdpRelayLimits: UdpRelayLimits = { idleMs: 120_000, sessions: 2048 };

export interface UdpRelayParts {
  target: TargetAddress;
  /** Sends to a client from the port at which its packets arrive. */
  reply(bytes: Buffer, to: Endpoint): void;
  traffic: Traffic;
  limits?: Partial<UdpRelayLimits>;
}

interface Session {
  key: string;
  client: Endpoint;
  /** Undefined until the target's address is known. */
  socket: Socket | undefined;
  /** Packets that wait for the connection; undefined once it stands. */
  waiting: Buffer[] | undefined;
  lastPacketAt: number;
  isEnded: boolean;
}

const MOST_WAITING = 32;
/** What the system has not taken yet; more is dropped, as a full queue of a router would. */
const MOST_QUEUED_BYTES = 4 * 1024 * 1024;

/**
 * Relays datagrams: each client address has a socket of its own towards the target, which so can
 * tell clients apart. A client that was never answered gives way to a new one when there are too many.
 */
export class UdpRelay {
  readonly #parts: UdpRelayParts;
  readonly #limits: UdpRelayLimits;
  /** Oldest first. */
  readonly #unanswered = new Map<string, Session>();
  readonly #answered = new Map<string, Session>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(parts: UdpRelayParts) {
    this.#parts = parts;
    this.#limits = { ...defaultUdpRelayLimits, ...parts.limits };
  }

  receive(bytes: Buffer, from: Endpoint): void {
    const key = `${from.address} ${from.port}`;
    const session = this.#answered.get(key) ?? this.#unanswered.get(key) ?? this.#open(key, from);
    if (!session) return;
    session.lastPacketAt = performance.now();
    if (!session.waiting) this.#forward(session, bytes);
    else if (session.waiting.length < MOST_WAITING) session.waiting.push(bytes);
  }

  close(): void {
    for (const session of [...this.#unanswered.values(), ...this.#answered.values()]) {
      this.#end(session);
    }
  }

  #open(key: string, { address, port }: Endpoint): Session | undefined {
    const { traffic } = this.#parts;
    if (this.#unanswered.size + this.#answered.size >= this.#limits.sessions) {
      traffic.refused++;
      const [oldest] = this.#unanswered.values();
      if (!oldest) return undefined;
      this.#end(oldest);
    }
    const session: Session = {
      key,
      client: { address, port },
      socket: undefined,
      waiting: [],
      lastPacketAt: 0,
      isEnded: false,
    };
    this.#unanswered.set(key, session);
    traffic.open++;
    traffic.total++;
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#limits.idleMs / 4).unref();
    void this.#connect(session);
    return session;
  }

  async #connect(session: Session): Promise<void> {
    try {
      const { address, port } = await this.#parts.target.find();
      if (session.isEnded) return;
      const socket = createSocket({ type: isIPv6(address) ? "udp6" : "udp4" });
      session.socket = socket;
      socket.on("message", (bytes) => this.#return(session, bytes));
      socket.on("error", (error) => this.#onError(session, error));
      socket.connect(port, address, (error?: Error) => {
        if (error) this.#fail(session);
        else this.#flush(session);
      });
    } catch {
      // The target's name has no address now; the next packet of this client tries again.
      this.#fail(session);
    }
  }

  #flush(session: Session): void {
    const waiting = session.waiting ?? [];
    session.waiting = undefined;
    for (const bytes of waiting) this.#forward(session, bytes);
  }

  #forward({ socket }: Session, bytes: Buffer): void {
    if (!socket || socket.getSendQueueSize() > MOST_QUEUED_BYTES) return;
    this.#parts.traffic.bytesIn += bytes.length;
    socket.send(bytes);
  }

  #return(session: Session, bytes: Buffer): void {
    session.lastPacketAt = performance.now();
    if (this.#unanswered.delete(session.key)) this.#answered.set(session.key, session);
    this.#parts.traffic.bytesOut += bytes.length;
    this.#parts.reply(bytes, session.client);
  }

  /** That nobody listens at the target (yet) is its own affair. */
  #onError(session: Session, error: Error): void {
    if (errorCodeOf(error) !== "ECONNREFUSED") this.#fail(session);
  }

  #fail(session: Session): void {
    if (session.isEnded) return;
    this.#parts.traffic.refused++;
    this.#end(session);
  }

  #end(session: Session): void {
    session.isEnded = true;
    session.socket?.close();
    this.#unanswered.delete(session.key);
    this.#answered.delete(session.key);
    this.#parts.traffic.open--;
    if (this.#unanswered.size + this.#answered.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #sweep(): void {
    const since = performance.now() - this.#limits.idleMs;
    for (const session of [...this.#unanswered.values(), ...this.#answered.values()]) {
      if (session.lastPacketAt < since) this.#end(session);
    }
  }
}
