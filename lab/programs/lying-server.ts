import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Endpoint } from "../endpoint.ts";
import { answerAsked } from "./asked.ts";
import { bindingAnswer, wholeMessage } from "./stun-wire.ts";

/** A STUN server that tells everybody the same endpoint, over UDP and TCP. */

interface Lie {
  at: Endpoint[];
  mapped: Endpoint;
}

async function lie({ at, mapped }: Lie): Promise<void> {
  for (const endpoint of at) {
    await lieOverUdp(endpoint, mapped);
    await lieOverTcp(endpoint, mapped);
  }
}

async function lieOverUdp({ address, port }: Endpoint, mapped: Endpoint): Promise<void> {
  const socket = createSocket("udp4");
  socket.on("message", (message, from) => {
    const answer = bindingAnswer(message, mapped);
    if (answer) socket.send(answer, from.port, from.address);
  });
  socket.bind({ address, port });
  await once(socket, "listening");
}

async function lieOverTcp({ address, port }: Endpoint, mapped: Endpoint): Promise<void> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const message = wholeMessage(received);
      const answer = message && bindingAnswer(message, mapped);
      if (answer) socket.write(answer);
      if (message) received = received.subarray(message.length);
    });
  });
  server.listen({ host: address, port });
  await once(server, "listening");
}

answerAsked({ lie });
