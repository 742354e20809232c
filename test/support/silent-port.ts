import { once } from "node:events";
import { connect } from "node:net";
import { Daemon } from "./daemon.ts";

/** As many may wait to be accepted, and one more. */
const BACKLOG = 1;

const program = `
const server = require("node:net").createServer();
server.listen({ host: "127.0.0.1", port: 0, backlog: ${BACKLOG} }, () => {
  require("node:fs").writeSync(1, server.address().port + "\\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/** A port whose dials are answered neither with yes nor with no, as those of a machine that is gone. */
export async function openSilentPort(): Promise<{ port: number; close(): Promise<void> }> {
  const daemon = await Daemon.start(process.execPath, ["-e", program], /^\d+$/);
  const port = Number(daemon.said[0]);
  const waiting = Array.from({ length: BACKLOG + 1 }, () => connect(port, "127.0.0.1"));
  await Promise.all(waiting.map((socket) => once(socket, "connect")));
  const close = async () => {
    for (const socket of waiting) socket.destroy();
    await daemon.stop();
  };
  return { port, close };
}
