import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Namespace } from "./namespace.ts";

const START_MS = 5_000;

/** A way from this machine to a port of a host of the laboratory, which has no network to it. */
export interface Doorway {
  /** `http://127.0.0.1:<port>` on this machine */
  origin: string;
  close(): Promise<void>;
}

/**
 * It adds no waiting of its own: what is asked through it may be timed.
 * @param folder for a socket file: those are the same in every network namespace
 */
export async function openDoorway(
  namespace: Namespace,
  port: number,
  folder: string,
): Promise<Doorway> {
  const path = join(folder, `${namespace.name}-${port}.socket`);
  const inner = namespace.spawn(
    "socat",
    [`UNIX-LISTEN:${path},fork,unlink-early,backlog=512`, `TCP4:127.0.0.1:${port},nodelay`],
    { stdio: "ignore" },
  );
  const sockets = new Set<Socket>();
  const outer = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    const inside = connect({ path, allowHalfOpen: true });
    for (const [one, other] of [
      [socket, inside],
      [inside, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => sockets.delete(one));
    }
  });
  await present(path);
  outer.listen(0, "127.0.0.1");
  await once(outer, "listening");
  return {
    origin: `http://127.0.0.1:${(outer.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(outer, "close");
      outer.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      await end(inner);
    },
  };
}

async function present(path: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      await access(path);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(10);
    }
  }
}

/**
 * A way from the loopback address of a host of the laboratory to the same port of this machine.
 * @param folder for a socket file
 */
export async function openWayOut(
  namespace: Namespace,
  port: number,
  folder: string,
): Promise<{ close(): Promise<void> }> {
  const path = join(folder, `${namespace.name}-${port}-out.socket`);
  const outer = spawn("socat", [`UNIX-LISTEN:${path},fork`, `TCP4:127.0.0.1:${port}`], {
    stdio: "ignore",
  });
  await present(path);
  const inner = namespace.spawn(
    "socat",
    [`TCP4-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr`, `UNIX-CONNECT:${path}`],
    { stdio: "ignore" },
  );
  return {
    close: async () => {
      await Promise.all([outer, inner].map(end));
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
