import { Agent, request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultPatience, Listener } from "../../src/server/http/listener.ts";
import { quietMoment } from "../../src/server/http/quiet-moment.ts";

let listener: Listener;
let port: number;
let agent: Agent;
beforeEach(async () => {
  agent = new Agent({ keepAlive: true });
  listener = new Listener((asked, response) => {
    asked.resume();
    if (listener.isClosing) response.setHeader("connection", "close");
    response.end("answered");
  }, defaultPatience);
  port = await listener.listen("127.0.0.1", 0);
});
afterEach(async () => {
  agent.destroy();
  await listener.close(0);
});

/** @returns the header `connection` of the answer */
async function ask(): Promise<string | undefined> {
  const sent = request({ host: "127.0.0.1", port, agent, method: "POST" });
  sent.end("{}");
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await once(response.resume(), "end");
  return response.headers.connection;
}

test("whoever waits to be let in when the service stops listening is answered", async () => {
  // The system opens these connections at once; the service hears of them in the next round.
  const waiting = Array.from({ length: 20 }, ask);
  const closed = listener.close(1_000);
  expect(await Promise.all(waiting)).toEqual(Array(20).fill("close"));
  await closed;
  await expect(ask()).rejects.toThrow("ECONNREFUSED");
});

test("after a drain nobody new is let in, and a kept connection has one more answer", async () => {
  expect(await ask()).toBe("keep-alive");
  const drained = listener.drain(1);
  await expect.poll(() => listener.server.listening).toBe(false);
  expect(await ask()).toBe("close");
  await drained;
  await expect(ask()).rejects.toThrow("ECONNREFUSED");
});

test("a loop that is busy for long does not put off the end", async () => {
  let rounds = 2_000;
  const work = () => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    if (--rounds > 0) setImmediate(work);
  };
  work();
  await quietMoment();
  expect(rounds).toBeGreaterThan(0);
  rounds = 0;
});
