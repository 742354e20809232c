import { once } from "node:events";
import { BoundSocket, createServer, Socket, type AddressInfo, type Server } from "node:net";
import { endpointText, type Endpoint } from "../endpoint.ts";
import type { PortQuestion, QueryQuestion, Reply, SendQuestion } from "../peer-questions.ts";
import { bindingRequest, mappedEndpoint, wholeMessage } from "./stun-wire.ts";

const open = new Map<number, Server>();

/** @returns the port of a listener that tells callers what came, and from where they seemed to call */
export async function openTcp({ port }: PortQuestion): Promise<number> {
  const server = createServer((socket) => {
    const from = { address: socket.remoteAddress ?? "", port: socket.remotePort ?? 0 };
    socket.on("error", () => undefined);
    socket.on("data", (text) => socket.write(`${text.toString()} from ${endpointText(from)}`));
  });
  server.listen(new BoundSocket({ host: "0.0.0.0", port, reusePort: true }));
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  open.set(address.port, server);
  return address.port;
}

export function closeTcp({ port }: PortQuestion): void {
  open.get(port)?.close();
  open.delete(port);
}

/** Asks over a connection of its own from that port. */
export async function queryTcp({
  port,
  server,
  timeoutMs,
}: QueryQuestion): Promise<Endpoint | null> {
  const request = bindingRequest();
  const mapped = await converse({ port }, server, request, timeoutMs, (received) => {
    const message = wholeMessage(received);
    return message && mappedEndpoint(message, request);
  });
  return "result" in mapped ? mapped.result : null;
}

export async function dialTcp({ to, from, text, timeoutMs }: SendQuestion): Promise<Reply> {
  const words = Buffer.from(text);
  const said = await converse(from, to, words, timeoutMs, String);
  return "result" in said ? { text: said.result } : { error: said.error };
}

/** Connects, sends, and resets the connection once `read` has made something of the answer. */
async function converse<Result>(
  from: Partial<Endpoint>,
  to: Endpoint,
  words: Buffer,
  timeoutMs: number,
  read: (received: Buffer) => Result | undefined,
): Promise<{ result: Result } | { error: string }> {
  const { promise, resolve } = Promise.withResolvers<{ result: Result } | { error: string }>();
  const socket = boundSocket(from);
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    const result = read(received);
    if (result !== undefined) resolve({ result });
  });
  socket.on("error", (error: NodeJS.ErrnoException) =>
    resolve({ error: error.code ?? `${error}` }),
  );
  socket.on("close", () => resolve({ error: "closed" }));
  const timer = setTimeout(resolve, timeoutMs, { error: "timeout" });
  socket.connect(to.port, to.address, () => socket.write(words));
  const outcome = await promise;
  clearTimeout(timer);
  // A reset would wait for the connection.
  if (socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
  return outcome;
}

/** @returns a socket that is not connected; its port may be open already */
export function boundSocket({ address: host = "0.0.0.0", port = 0 }: Partial<Endpoint>): Socket {
  return new Socket({ handle: new BoundSocket({ host, port, reusePort: true }) });
}
