import { once } from "node:events";
import { createServer } from "node:http";
import { answerAsked } from "./asked.ts";

/** A web server that keeps connections for as long as it is told to: `address port closeAfterMs`. */

const [address, port, closeAfter = "null"] = process.argv.slice(2);
const closeAfterMs = closeAfter === "null" ? undefined : Number(closeAfter);

const server = createServer((_request, response) => {
  if (closeAfterMs === 0) response.setHeader("connection", "close");
  response.end("A web host of the laboratory.\n");
});
server.keepAliveTimeout = 0;
server.on("connection", (socket) => {
  if (closeAfterMs) setTimeout(() => socket.destroy(), closeAfterMs).unref();
});
server.listen(Number(port), address);
await once(server, "listening");
answerAsked({});
