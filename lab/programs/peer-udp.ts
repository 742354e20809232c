import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { endpointText, type Endpoint } from "../endpoint.ts";
import type { PortQuestion, QueryQuestion, Reply, SendQuestion } from "../peer-questions.ts";
import { bindingRequest, mappedEndpoint } from "./stun-wire.ts";

const open = new Map<number, Socket>();

/** @returns the port of a socket that tells senders what came, and from where it seemed to come */
export async function openUdp({ port }: PortQuestion): Promise<number> {
  const socket = await bind({ port });
  socket.on("message", (message, from) => {
    if (isStun(message)) return;
    socket.send(`${message.toString()} from ${endpointText(from)}`, from.port, from.address);
  });
  open.set(socket.address().port, socket);
  return socket.address().port;
}

export function closeUdp({ port }: PortQuestion): void {
  open.get(port)?.close();
  open.delete(port);
}

/** Asks through the open socket of that port. */
export async function queryUdp(question: QueryQuestion): Promise<Endpoint | null> {
  const socket = open.get(question.port);
  if (!socket) throw new Error(`Port ${question.port} is not open.`);
  const request = bindingRequest();
  const answer = await exchange(socket, request, question.server, question.timeoutMs, (message) =>
    mappedEndpoint(message, request),
  );
  return answer ?? null;
}

export async function sendUdp({ to, from, text, timeoutMs }: SendQuestion): Promise<Reply> {
  const socket = await bind(from);
  const answer = await exchange(socket, Buffer.from(text), to, timeoutMs, String);
  socket.close();
  return answer === undefined ? { error: "timeout" } : { text: answer };
}

async function bind({ address, port }: Partial<Endpoint>): Promise<Socket> {
  const socket = createSocket("udp4");
  // Any number of questions at a time.
  socket.setMaxListeners(0);
  // What a router says of an earlier datagram is no answer.
  socket.on("error", () => undefined);
  socket.bind({ port: port ?? 0, ...(address && { address }), exclusive: true });
  await once(socket, "listening");
  return socket;
}

/** Sends once. @returns the first answer that `read` makes something of */
async function exchange<Result>(
  socket: Socket,
  message: Buffer,
  to: Endpoint,
  timeoutMs: number,
  read: (message: Buffer) => Result | undefined,
): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<Result | undefined>();
  const onMessage = (answer: Buffer) => {
    const result = read(answer);
    if (result !== undefined) resolve(result);
  };
  socket.on("message", onMessage);
  const timer = setTimeout(resolve, timeoutMs, undefined);
  // An error of the network is silence to the caller.
  socket.send(message, to.port, to.address, () => undefined);
  const result = await promise;
  clearTimeout(timer);
  socket.off("message", onMessage);
  return result;
}

/** The first two bits of STUN are zero; of text they are not. */
function isStun(message: Buffer): boolean {
  return ((message[0] ?? 0) & 0xc0) === 0;
}
