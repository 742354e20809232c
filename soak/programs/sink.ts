/** Takes webhooks at a port of the home host, and counts them by run. */
import { createServer } from "node:http";
import { answerAsked } from "../../lab/programs/asked.ts";

const byRun = new Map<string, number>();

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (bytes) => (body += String(bytes)));
  request.on("end", () => {
    const { run_id: run } = JSON.parse(body) as { run_id: number };
    byRun.set(String(run), (byRun.get(String(run)) ?? 0) + 1);
    response.end("taken");
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1");

answerAsked({
  counts: () => ({
    runs: byRun.size,
    repeated: [...byRun.values()].filter((count) => count > 1).length,
  }),
});
