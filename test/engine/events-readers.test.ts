import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunListener } from "../../src/server/callbacks/run-news.ts";
import { EventService, type EventOptions } from "../../src/server/events/service.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import type { Run } from "../../src/shared/api/callbacks.ts";

const BODY = "x".repeat(64 * 1024);
/** More than sockets hold on their way. */
const RUNS = 1_000;

let events: EventService;
let server: Server;
let tell: RunListener;
let listening: number;
beforeEach(() => {
  listening = 0;
});
afterEach(async () => {
  await events.stop();
  server.closeAllConnections();
  server.close();
});

async function begin(options: Partial<EventOptions>): Promise<void> {
  events = new EventService({
    rules: { listOf: async () => [], follow: async () => () => {} },
    runs: {
      subscribe: async (listener) => {
        tell = listener;
        listening++;
        return () => void listening--;
      },
    },
    logger: createLogger("silent"),
    options,
  });
  events.start();
  server = createServer((_request, response) => {
    void events
      .read(async () => true)
      .then((stream) => pipeline(stream, response))
      .catch(() => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function connect(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ port, host: "127.0.0.1" }), "response")) as [
    IncomingMessage,
  ];
  response.on("error", () => {});
  return response;
}

function run(id: number): Run {
  return { id, response_body: BODY } as Run;
}

test("A reader that takes nothing is cut off; another one misses nothing meanwhile", async () => {
  await begin({});
  const stuck = await connect();
  stuck.pause();
  const quick = await connect();
  let received = "";
  quick.setEncoding("utf8").on("data", (text: string) => (received += text));
  expect(events.open).toBe(2);
  for (let id = 1; id <= RUNS; id++) await tell(run(id));
  await expect.poll(() => received.includes(`"id":${RUNS},`)).toBe(true);
  const ids = [...received.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: RUNS }, (_, n) => n + 1));
  expect(events.open).toBe(1);
  quick.destroy();
  await expect.poll(() => events.open).toBe(0);
});

test("A reader that takes nothing is cut off by and by, however little there is to tell", async () => {
  await begin({ heartbeatMs: 50, waitingBytes: Number.MAX_SAFE_INTEGER });
  const stuck = await connect();
  stuck.pause();
  for (let id = 1; id <= RUNS; id++) await tell(run(id));
  await expect.poll(() => events.open, { timeout: 5_000 }).toBe(0);
});

test("Nothing is looked for while nobody reads", async () => {
  await begin({});
  expect(listening).toBe(0);
  const one = await connect();
  const other = await connect();
  expect(listening).toBe(1);
  one.destroy();
  await expect.poll(() => events.open).toBe(1);
  expect(listening).toBe(1);
  other.destroy();
  await expect.poll(() => listening).toBe(0);
});
