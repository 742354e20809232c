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
  const signal = AbortSignal.timeout(timeoutMs);
  socket.write(text);
  try {
    const [answer] = (await once(socket, "data", { signal })) as [Buffer];
    return { text: answer.toString() };
  } catch (error) {
    return { error: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

export function hangUp({ call: number }: { call: number }): void {
  calls.get(number)?.destroy();
  calls.delete(number);
}
