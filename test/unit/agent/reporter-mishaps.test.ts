import fc from "fast-check";
import { expect, test } from "vitest";
import { SimulatedNode, type Mishap } from "./simulated-node.ts";

const HOUR_MS = 3_600_000;
const mishap = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Mishap>("none") },
  {
    weight: 8,
    arbitrary: fc.constantFrom<Mishap>(
      "crash before",
      "crash after",
      "request lost",
      "answer lost",
      "answer lost for a day",
      "answer and date lost for a day",
      "busy",
      "disk full",
      "reboot",
    ),
  },
  { weight: 1, arbitrary: fc.constant<Mishap>("outage of a day") },
);

/** Starts the agent again after each crash, and lets it stop in order at the end. */
async function live(mishaps: readonly Mishap[]): Promise<SimulatedNode> {
  const node = new SimulatedNode(mishaps);
  while (await node.run(HOUR_MS / 2));
  // Outages end: then everything is delivered.
  for (let round = 0; round < 60 && (node.pending || round === 0); round++) await node.run(HOUR_MS);
  expect(node.pending).toBe(false);
  return node;
}

test("whatever goes wrong, wherever, each byte is counted once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mishap, { maxLength: 120, size: "max" }), async (mishaps) => {
      const node = await live(mishaps);
      expect(node.counted).toBe(node.truth);
      expect(node.truth).toBeGreaterThan(0n);
    }),
    { numRuns: 150 },
  );
});

test("a report is sent again as it was", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mishap, { maxLength: 80, size: "max" }), async (mishaps) => {
      const { sent } = await live(mishaps);
      const first = new Map(sent.toReversed().map((report) => [report.id, report]));
      for (const report of sent) expect(report).toEqual(first.get(report.id));
    }),
    { numRuns: 40 },
  );
});

test.each([
  ["answer lost for a day", "counted"],
  ["answer and date lost for a day", "counted"],
  ["outage of a day", "not counted"],
] as const)("after %s the sum of the service tells: %s", async (last, settlement) => {
  const told: string[] = [];
  for (let step = 0; step < 30; step++) {
    const steps = Array.from({ length: step }, (): Mishap => "none");
    const node = await live([...steps, last]);
    expect(node.counted).toBe(node.truth);
    const lines = node.log.map((line) => JSON.parse(line) as Record<string, string>);
    const settled = lines.filter(
      ({ event, bytes }) => event === "old_report_settled" && bytes !== "0",
    );
    told.push(...settled.map((line) => line["settlement"] ?? ""));
  }
  expect(new Set(told)).toEqual(new Set([settlement]));
});

test("while all is well it says that it began, and is quiet", async () => {
  const node = new SimulatedNode([]);
  await node.run(HOUR_MS);
  const events = node.log.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events).toEqual(["reporting"]);
  expect(node.sent.length).toBe(61);
  expect(node.sent.at(-1)?.load.status).toBe("offline");
  expect(node.sent.slice(0, -1).every(({ load }) => load.status === "online")).toBe(true);
});

test("a service that is away is spoken of when it goes and when it comes back", async () => {
  const node = new SimulatedNode(["none", "none", "none", "none", "outage of a day"]);
  await node.run(30 * HOUR_MS);
  const events = node.log.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events.filter((event) => event === "report_undelivered_over")).toHaveLength(1);
  // Once an hour.
  expect(events.filter((event) => event === "report_undelivered").length).toBeLessThanOrEqual(26);
  expect(node.counted).toBe(node.truth);
});
