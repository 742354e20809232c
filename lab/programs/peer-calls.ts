import { once } from "node:events";
import { Socket } from "node:net";
import type { Reply, SayQuestion, SendQuestion } from "../peer-questions.ts";
import { boundSocket } from "./peer-tcp.ts";

const calls = new Map<number, Socket>();
let lastCall = 0;

/** @returns the number of a TCP connection that stays open */
export async function call({ to, from, timeoutMs }: Omit<SendQuestion, "text">): Promise<number> {
  const socket = boundSocket(from);
  socket.on("error", () => undefined);
  socket.connect(to.port, to.address);
  await once(socket, "connect", { signal: AbortSignal.timeout(timeoutMs) });
  calls.set(++lastCall, socket);
  return lastCall;
}

/** Says something on it. @returns what comes back */
export async function say({ call: number, text, timeoutMs }: SayQuestion): Promise<Reply> {
  const socket = calls.get(number);
  if (!socket || socket.destroyed) return { error: "closed" };
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const timer = setTimeout(resolve, timeoutMs, { error: "timeout" });
  socket.once("data", (answer) => resolve({ text: answer.toString() }));
  socket.once("error", (error: NodeJS.ErrnoException) =>
    resolve({ error: error.code ?? "failed" }),
  );
  socket.once("close", () => resolve({ error: "closed" }));
  socket.write(text);
  const reply = await promise;
  clearTimeout(timer);
  return reply;
}

export function hangUp({ call: number }: { call: number }): void {
  calls.get(number)?.destroy();
  calls.delete(number);
}
