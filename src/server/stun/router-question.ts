import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { TimeUp, within } from "../../probe/deadline.ts";
import { errorCodeOf } from "./system-error.ts";

/** Where routers hear NAT-PMP and PCP (RFC 6886 §3, RFC 6887 §19.1). */
export const PORT_MAPPING_PORT = 5351;

/** IPv4. */
export interface RouterAddress {
  address: string;
  port: number;
}

const FIRST_WAIT_MS = 250;

/**
 * Asks a router until something comes that `read` takes, at intervals that double (RFC 6886 §3.1).
 * Undefined when nothing does in time, or nothing can be sent. Only the router is heard.
 * @throws the reason of `signal`
 */
export async function askRouter<T>(
  router: RouterAddress,
  request: Buffer,
  read: (bytes: Buffer) => T | undefined,
  withinMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  const socket = createSocket("udp4");
  const answered = Promise.withResolvers<T>();
  socket.on("message", (bytes) => {
    const answer = read(bytes);
    if (answer !== undefined) answered.resolve(answer);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await within(withinMs, signal, async () => {
      await connectTo(socket, router);
      // A router that does not know the protocol refuses, which need not be its last word.
      socket.on("error", () => {});
      const send = (waitMs: number) => {
        socket.send(request, () => {});
        timer = setTimeout(send, waitMs, waitMs * 2);
      };
      send(FIRST_WAIT_MS);
      return answered.promise;
    });
  } catch (error) {
    if (!signal.aborted && isNoAnswer(error)) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

async function connectTo(socket: Socket, { address, port }: RouterAddress): Promise<void> {
  socket.connect(port, address);
  await once(socket, "connect");
}

/** Rather than a defect of ours. */
export function isNoAnswer(error: unknown): boolean {
  return error instanceof TimeUp || errorCodeOf(error) !== undefined;
}
