/**
 * Two STUN servers without a NAT in front, on two loopback addresses: answers are prepared bytes.
 * A datagram `count` is answered with the number of requests so far.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";

const COUNT = "count";
const COOKIE_PORT = 0x2112;
const COOKIE_ADDRESS = 0x2112_a442;
const OCTET_WEIGHTS = [2 ** 24, 2 ** 16, 2 ** 8, 1] as const;

let count = 0;

async function listen(address: string, port: number): Promise<number> {
  const socket = createSocket({ type: "udp4", recvBufferSize: 4_194_304 });
  socket.on("message", (request, from) => {
    if (request.length < 20) {
      socket.send(request.toString() === COUNT ? String(count) : "", from.port, from.address);
      return;
    }
    count++;
    socket.send(success(request, from.address, from.port), from.port, from.address);
  });
  socket.bind(port, address);
  await once(socket, "listening");
  return socket.address().port;
}

/** A Binding success with an XOR-MAPPED-ADDRESS of IPv4 (RFC 8489 §14.2). */
function success(request: Buffer, address: string, port: number): Buffer {
  const answer = Buffer.alloc(32);
  answer.writeUInt16BE(0x0101, 0);
  answer.writeUInt16BE(12, 2);
  request.copy(answer, 4, 4, 20);
  answer.writeUInt32BE(0x0020_0008, 20);
  answer.writeUInt16BE(1, 24);
  answer.writeUInt16BE(port ^ COOKIE_PORT, 26);
  const octets = address.split(".");
  const number = OCTET_WEIGHTS.reduce((sum, weight, n) => sum + weight * Number(octets[n]), 0);
  answer.writeUInt32BE((number ^ COOKIE_ADDRESS) >>> 0, 28);
  return answer;
}

const port = await listen("127.0.0.1", 0);
await listen("127.0.0.2", port);
console.log(`http://127.0.0.1:${port}`);
