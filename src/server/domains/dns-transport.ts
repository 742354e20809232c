import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, isIPv6 } from "node:net";
import { TimeUp, within } from "../../probe/deadline.ts";
import type { Egress } from "../lib/egress.ts";
import { ExchangeError } from "../lib/exchange-error.ts";
import { toExchangeError } from "../lib/exchange-failures.ts";
import { formatHostPort, type HostPort } from "../lib/host-port.ts";

/** How long each part of asking a name server may take, in milliseconds. */
export interface DnsPatience {
  resolvingMs: number;
  /** After each of these, in a row, a request over UDP is sent again, and at the end given up. */
  datagramMs: readonly number[];
  /** For the connection and the answer over TCP. */
  streamMs: number;
}

const defaultPatience: DnsPatience = {
  resolvingMs: 5000,
  datagramMs: [1000, 2000, 3000],
  streamMs: 8000,
};

/** What fits into a datagram on every path (RFC 9715). */
const LARGEST_DATAGRAM_BYTES = 1232;
const TRUNCATED = 0x02;

/** Carries messages to name servers: over UDP, and over TCP what does not fit or is not answered. */
export class DnsTransport {
  readonly #egress: Pick<Egress, "locate">;
  readonly #patience: DnsPatience;

  constructor(egress: Pick<Egress, "locate">, patience: DnsPatience = defaultPatience) {
    this.#egress = egress;
    this.#patience = patience;
  }

  /**
   * The answer with the id of the request, of which nothing else is checked here.
   * @throws ExchangeError; the reason of `signal`
   */
  async ask(server: HostPort, message: Buffer, signal: AbortSignal): Promise<Buffer> {
    const { host, port } = server;
    const addresses = await this.#egress.locate(host, port, this.#patience.resolvingMs, signal);
    let failure: unknown;
    for (const address of addresses) {
      try {
        return await this.#askAt({ address, port, name: formatHostPort(server) }, message, signal);
      } catch (error) {
        // There may be a way to the next one; who keeps silent is not worth the time.
        if (!(error instanceof ExchangeError) || error.kind !== "network") throw error;
        failure = error;
      }
    }
    throw failure;
  }

  async #askAt(place: Place, message: Buffer, signal: AbortSignal): Promise<Buffer> {
    if (message.length <= LARGEST_DATAGRAM_BYTES) {
      const answer = await this.#askByDatagram(place, message, signal);
      if (answer && ((answer[2] ?? 0) & TRUNCATED) === 0) return answer;
    }
    return this.#askByStream(place, message, signal);
  }

  /** Undefined when no answer came this way: another way may be open. */
  async #askByDatagram(
    { address, port }: Place,
    message: Buffer,
    signal: AbortSignal,
  ): Promise<Buffer | undefined> {
    const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
    const answer = Promise.withResolvers<Buffer | undefined>();
    // A port that is closed is told of by an ICMP message.
    socket.once("error", () => answer.resolve(undefined));
    // A connected socket takes datagrams of the server only.
    socket.on("message", (bytes) => {
      if (isAnswerTo(bytes, message)) answer.resolve(bytes);
    });
    socket.connect(port, address);
    try {
      const isConnected = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      // No way leads there; over TCP the system says why.
      if (!isConnected) return undefined;
      for (const waitMs of this.#patience.datagramMs) {
        socket.send(message);
        try {
          return await within(waitMs, signal, () => answer.promise);
        } catch (error) {
          if (!(error instanceof TimeUp)) throw error;
        }
      }
      return undefined;
    } finally {
      socket.close();
    }
  }

  async #askByStream(place: Place, message: Buffer, signal: AbortSignal): Promise<Buffer> {
    const { streamMs } = this.#patience;
    try {
      return await within(streamMs, signal, (inTime) => exchangeByStream(place, message, inTime));
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof TimeUp) {
        throw new ExchangeError("timeout", `No answer from the name server ${place.name}`);
      }
      throw toExchangeError(error, `the name server ${place.name}`);
    }
  }
}

interface Place {
  address: string;
  port: number;
  /** For sentences. */
  name: string;
}

/** RFC 7766: each message behind its length. */
async function exchangeByStream(
  { address, port, name }: Place,
  message: Buffer,
  signal: AbortSignal,
): Promise<Buffer> {
  const socket = connect({ host: address, port });
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.write(Buffer.concat([length, message]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      const size = received.length < 2 ? Infinity : received.readUInt16BE(0) + 2;
      if (received.length < size) continue;
      const answer = received.subarray(2, size);
      if (isAnswerTo(answer, message)) return answer;
      received = received.subarray(size);
    }
    throw new ExchangeError("network", `The name server ${name} closed without an answer`);
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}

function isAnswerTo(bytes: Buffer, request: Buffer): boolean {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== request.readUInt16BE(0)) return false;
  return ((bytes[2] ?? 0) & 0x80) !== 0;
}
