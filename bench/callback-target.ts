/**
 * The target of the bench of callbacks: answers `ok`, but not at all under /hang and with 500 under
 * /fail; and remembers when the first byte of each request came, on the monotonic clock that all
 * processes of the machine share. GET /arrivals tells and forgets.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let arrivals: { path: string; at: number }[] = [];

const server = createServer((request, response) => {
  const at = Number(process.hrtime.bigint()) / 1e6;
  const path = request.url ?? "";
  if (request.method === "GET") {
    response.end(JSON.stringify(arrivals));
    arrivals = [];
    return;
  }
  arrivals.push({ path, at });
  request.resume();
  if (path.startsWith("/hang")) return;
  response.statusCode = path.startsWith("/fail") ? 500 : 200;
  request.on("end", () => response.end("ok"));
});

server.listen({ host: "127.0.0.1", port: 0, backlog: 4096 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on("SIGTERM", () => process.exit(0));
