import { once } from "node:events";
import { createServer } from "node:http";
import { answerAsked } from "./asked.ts";

/** A web server that keeps connections for as long as it is told to: `closeAfterMs port address…`. */

const [closeAfter = "null", port, ...addresses] = process.argv.slice(2);
const closeAfterMs = closeAfter === "null" ? undefined : Number(closeAfter);

for (const address of addresses) {
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
}
answerAsked({});
