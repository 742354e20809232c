/** An overlay node that does no more than a check needs; who only connects is let go. */
import { createServer, type AddressInfo, type Socket } from "node:net";
import { digestOf, helloOf, kinds, packetOf } from "../test/support/overlay-codec.ts";

const PEER_ID = 77;
const digest = digestOf("net", "secret");
const answer = packetOf(
  kinds.handshake,
  PEER_ID,
  0,
  helloOf({ peerId: PEER_ID, networkName: "net", digest }),
);
const framedAnswer = Buffer.concat([Buffer.alloc(4), answer]);
framedAnswer.writeUInt32LE(answer.length);

const KIND_AT = 4 + 8;

function hear(socket: Socket, frame: Buffer): void {
  if (frame[KIND_AT] === kinds.ping) {
    frame[KIND_AT] = kinds.pong;
    socket.write(frame);
  } else if (frame.includes(digest)) socket.write(framedAnswer);
  else socket.destroy();
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on("data", (frame) => hear(socket, frame));
  socket.on("error", () => socket.destroy());
});

server.listen({ host: "127.0.0.1", port: 0, backlog: 4096 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on("SIGTERM", () => process.exit(0));
