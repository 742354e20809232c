import { connect as connectTcp, isIP } from "node:net";
import { DialError, type Connection, type DialFailure, type Sockets } from "../sockets.ts";
import { NodeConnection } from "./connection.ts";

/** What the system says about the other side. Anything else, no sockets left, is our own trouble. */
const failures: Readonly<Record<string, readonly [DialFailure, string]>> = {
  ECONNREFUSED: ["refused", "Connection refused"],
  EHOSTUNREACH: ["unreachable", "No route to the host"],
  EHOSTDOWN: ["unreachable", "The host is down"],
  ENETUNREACH: ["unreachable", "No route to the network"],
  EADDRNOTAVAIL: ["unreachable", "No route to the network"],
  EAFNOSUPPORT: ["unreachable", "No route to the network"],
  ETIMEDOUT: ["timed_out", "Timed out"],
  EACCES: ["failed", "The connection is not permitted"],
  EPERM: ["failed", "The connection is not permitted"],
  EINVAL: ["failed", "The address cannot be dialled"],
};

/** TCP connections of Node. Certificates are not judged: overlay nodes sign theirs themselves. */
export class NodeSockets implements Sockets {
  /** @throws DialError; the error of the system when the trouble is our own; the reason of `signal` */
  async connect(address: string, port: number, signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    if (isIP(address) === 0) throw new DialError("failed", "Only IP addresses can be dialled");
    const socket = connectTcp({ host: address, port, noDelay: true });
    const opened = Promise.withResolvers<void>();
    const abort = () => socket.destroy(toError(signal.reason));
    signal.addEventListener("abort", abort, { once: true });
    socket.once("connect", opened.resolve).once("error", opened.reject);
    try {
      await opened.promise;
      return new NodeConnection(socket);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      // A connection that does not open is refused; this one had opened before.
      if (codeOf(error) === "ECONNRESET") return new NodeConnection(socket);
      throw toDialError(error);
    } finally {
      signal.removeEventListener("abort", abort);
      socket.off("connect", opened.resolve).off("error", opened.reject);
    }
  }
}

function toDialError(error: unknown): unknown {
  const [failure, message] = failures[codeOf(error) ?? ""] ?? [];
  if (failure === undefined || message === undefined) return error;
  return new DialError(failure, message);
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}
