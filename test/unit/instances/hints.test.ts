import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Hints } from "../../../src/server/instances/hints-postgres.ts";
import { createLogger } from "../../../src/server/lib/logger.ts";

const STARTED = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");
const READY = Buffer.from("Z\0\0\0\x05I", "latin1");

/** A message of the protocol (PostgreSQL documentation, "Message Formats"). */
function refusal(sentence: string): Buffer {
  const fields = Buffer.from(`SERROR\0C25006\0M${sentence}\0\0`, "latin1");
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields, READY]);
}

let server: Server;
const connections = new Set<Socket>();
/** A server that lets everybody in and refuses to listen, as one does that only follows another. */
beforeEach(async () => {
  server = createServer((socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket)).on("error", () => {});
    socket.once("data", () => {
      socket.write(STARTED);
      socket.on("data", (bytes) => {
        if (bytes[0] === "Q".charCodeAt(0)) socket.write(refusal("not during recovery"));
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  for (const socket of connections) socket.destroy();
  server.close();
});

test("a connection on which nobody can listen is closed", async () => {
  const { port } = server.address() as AddressInfo;
  const hints = new Hints({
    url: `postgres://waypost@127.0.0.1:${port}/waypost`,
    instance: "one",
    logger: createLogger("silent"),
    onHint: () => {},
    isHeard: () => true,
  });
  for (let time = 0; time < 3; time++) {
    await expect(hints.claimName()).rejects.toThrow("not during recovery");
  }
  await expect.poll(() => connections.size).toBe(0);
  await hints.close();
});
