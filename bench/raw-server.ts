/**
 * The raw limit: node:http that parses what it is sent and answers something fixed. `RAW_BODY` is
 * a file whose content GET /public answers, and every POST when `RAW_POST` is set, so that both
 * sides send the same number of bytes.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const fixed = JSON.stringify({
  message: "x".repeat(110),
  used_traffic: 1,
  max_traffic: 2,
  reset: 3,
});
const stats = JSON.stringify({
  total_nodes: 10_000,
  online_nodes: 9_000,
  domestic_nodes: 5_000,
  overseas_nodes: 5_000,
  total_bandwidth: 123_456.78,
});
const file = process.env["RAW_BODY"];
const list = file ? readFileSync(file) : Buffer.from("[]");
const answer = process.env["RAW_POST"] ? list.toString("utf8") : fixed;
const json = "application/json; charset=utf-8";

const server = createServer((request, response) => {
  if (request.method === "GET") {
    const body = request.url === "/public" ? list : stats;
    response.writeHead(200, { "content-type": json, "content-length": Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString("utf8"));
    response.writeHead(200, { "content-type": json, "content-length": answer.length });
    response.end(answer);
  });
});

server.listen({ host: "127.0.0.1", port: 0, backlog: 4096 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on("SIGTERM", () => process.exit(0));
