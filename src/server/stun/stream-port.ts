import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, isIPv6, type Socket } from "node:net";
import { TimeUp, within } from "../../probe/deadline.ts";
import { askOverStream } from "./binding-stream.ts";
import type { BindingOutcome } from "./binding.ts";
import { connected, cut, heardLater } from "./connecting.ts";
import type { StreamPort } from "./diagnosis-ports.ts";
import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import { toBindAddress } from "./local-address.ts";
import { ReboundPort } from "./rebound-port.ts";
import { SharedPort } from "./shared-port.ts";
import { describeSystemError, errorCodeOf } from "./system-error.ts";
import type { TcpPort } from "./tcp-port.ts";

/** For connecting and the answer. */
const ANSWER_MS = 3_500;
const GREETING_BYTES = 16;

/** A TCP port that asks from, listens at, and tries to be reached at the same number. */
export class TcpDiagnosisPort implements StreamPort {
  readonly #port: TcpPort;
  /** What a connection of ours says first, so that it is known from a stranger's. */
  readonly #greeting = randomBytes(GREETING_BYTES);
  readonly #sockets = new Set<Socket>();

  constructor(localAddress: string | null, sharesPort = SharedPort.isSupported()) {
    const parts = {
      local: { address: toBindAddress(localAddress), port: 0 },
      onConnection: (socket: Socket) => this.#greetBack(socket),
      // Who still waits to be reached will not be.
      onLost: () => {},
    };
    this.#port = sharesPort ? new SharedPort(parts) : new ReboundPort(parts);
  }

  get local(): Endpoint {
    return this.#port.local;
  }

  open(): Promise<void> {
    return this.#port.open();
  }

  async ask(server: Endpoint, signal: AbortSignal): Promise<BindingOutcome> {
    const name = formatEndpoint(server);
    try {
      return await within(ANSWER_MS, signal, async (inTime) => {
        const socket = this.#keep(await this.#port.connect(server));
        await connected(socket, inTime);
        return askOverStream(socket, server, inTime);
      });
    } catch (error) {
      return { error: `${name} cannot be asked: ${explain(error, signal)}` };
    }
  }

  async reach(
    to: Endpoint,
    withinMs: number,
    signal: AbortSignal,
  ): Promise<"us" | "other" | "nobody"> {
    const { address } = this.local;
    const socket = this.#keep(
      connect({ host: to.address, port: to.port, localAddress: address, family: familyOf(to) }),
    );
    let isConnected = false;
    try {
      return await within(withinMs, signal, async (inTime) => {
        await connected(socket, inTime);
        isConnected = true;
        socket.write(this.#greeting);
        const [answer] = (await once(socket, "data", { signal: inTime })) as [Buffer];
        return isReversed(answer, this.#greeting) ? "us" : "other";
      });
    } catch (error) {
      explain(error, signal);
      return isConnected ? "other" : "nobody";
    }
  }

  async close(): Promise<void> {
    await this.#port.close();
    for (const socket of this.#sockets) cut(socket);
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on("error", heardLater);
    return socket.once("close", () => this.#sockets.delete(socket));
  }

  /** Sent back in reverse order: whoever merely echoes is somebody else. */
  #greetBack(socket: Socket): void {
    this.#keep(socket).once("data", (bytes: Buffer) => {
      if (bytes.equals(this.#greeting)) socket.write(reversed(bytes));
      else cut(socket);
    });
  }
}

/** Why it failed, in words. @throws the reason of `signal`; a defect of ours */
function explain(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) throw signal.reason;
  if (error instanceof TimeUp) return "no answer came in time";
  if (errorCodeOf(error) === undefined) throw error;
  return describeSystemError(error);
}

function isReversed(answer: Buffer, greeting: Buffer): boolean {
  return answer.equals(reversed(greeting));
}

function reversed(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toReversed());
}

function familyOf({ address }: Endpoint): number {
  return isIPv6(address) ? 6 : 4;
}
