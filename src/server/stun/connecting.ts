import { once } from "node:events";
import type { Socket } from "node:net";

/** For errors that come before anybody waits for them: `connected` finds them at the socket. */
export function heardLater(): void {}

/**
 * Waits until a connection stands; it is destroyed when it fails.
 * @throws what the system says; the reason of `signal`
 */
export async function connected(socket: Socket, signal: AbortSignal): Promise<void> {
  try {
    signal.throwIfAborted();
    if (socket.errored) throw socket.errored;
    if (socket.connecting) await once(socket, "connect", { signal });
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}

/** Ends a connection at once and leaves nothing of it in the system: no TIME_WAIT. */
export function cut(socket: Socket): void {
  // Node puts off the reset of what is still connecting until it is connected.
  if (socket.connecting || socket.destroyed) socket.destroy();
  else socket.resetAndDestroy();
}
