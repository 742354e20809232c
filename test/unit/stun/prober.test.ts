import { expect, test } from "vitest";
import { createLogger } from "../../../src/server/lib/logger.ts";
import type { Endpoint } from "../../../src/server/stun/endpoint.ts";
import type { Hole } from "../../../src/server/stun/hole.ts";
import type { Observation } from "../../../src/server/stun/observation.ts";
import { Prober } from "../../../src/server/stun/prober.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const MAPPED: Endpoint = { address: "203.0.113.7", port: 5_000 };

/** A hole whose servers answer when the test says so. */
function stage() {
  const questions: { answer: () => void; fail: (error: Error) => void }[] = [];
  const observed: Observation[] = [];
  const clock = new ManualClock();
  const probe = (server: Endpoint) => {
    const { promise, resolve, reject } = Promise.withResolvers<Observation>();
    const observation = { at: 0, server: server.address, mapped: MAPPED, rttMs: 1, error: null };
    questions.push({ answer: () => resolve(observation), fail: reject });
    return promise;
  };
  const prober = new Prober({
    clock,
    logger: createLogger("silent"),
    hole: () => ({ probe }) as unknown as Hole,
    endpointOf: (server) => (server === "unknown" ? undefined : { address: server, port: 3478 }),
    onObservation: (_, observation) => observed.push(observation),
  });
  return { prober, questions, observed };
}

test("who asks while a server is being asked gets the same answer", async () => {
  const { prober, questions, observed } = stage();
  const answers = [prober.ask("a"), prober.ask("a"), prober.ask("b")];
  expect(questions).toHaveLength(2);
  for (const { answer } of questions) answer();
  const [first, second] = await Promise.all(answers);
  expect(second).toBe(first);
  expect(observed).toHaveLength(2);
  void prober.ask("a");
  expect(questions).toHaveLength(3);
});

test("a probe that goes wrong is an observation, and the next one is made", async () => {
  const { prober, questions, observed } = stage();
  const asked = prober.ask("a");
  questions[0]?.fail(new Error("a defect"));
  expect(await asked).toMatchObject({ mapped: null, error: "The probe was given up" });
  expect(await prober.ask("unknown")).toMatchObject({ error: "The server could not be asked" });
  expect(observed).toHaveLength(2);
});

test("a stop waits for what runs, and nothing is observed any more", async () => {
  const { prober, questions, observed } = stage();
  const asked = prober.ask("a");
  let isStopped = false;
  const stopped = prober.stop().then(() => (isStopped = true));
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  questions[0]?.answer();
  await Promise.all([asked, stopped]);
  expect(observed).toEqual([]);
});
