import { setTimeout as pause } from "node:timers/promises";
import { emptyLedger, count } from "./ledger.ts";
import { lockJournal } from "./lock.ts";
import { Meter } from "./meter.ts";
import type { AgentParts } from "./parts.ts";
import { firstMeasureMs } from "./reporter.ts";
import { toBody } from "./report.ts";
import type { AgentSettings } from "./settings.ts";
import type { World } from "./world.ts";

/** What the next report would say, as JSON; its token is left out. Writes nothing. */
export async function describeReport(
  { source, journal }: AgentParts,
  { traffic, identity, intervalMs }: AgentSettings,
  world: World,
): Promise<string> {
  const meter = new Meter();
  const ledger = await journal.load();
  const first = count(ledger, source, await source.readCounters(), traffic);
  meter.add(first.passed, world.elapsed());
  await pause(firstMeasureMs(intervalMs));
  const second = count(first.ledger, source, await source.readCounters(), traffic);
  meter.add(second.passed, world.elapsed());
  const load = {
    bandwidth: meter.take(world.elapsed()),
    connections: await source.countConnections(),
    status: "online" as const,
    version: source.version,
    intervalSeconds: intervalMs / 1_000,
  };
  const { pending, owed } = second.ledger;
  const report = pending ?? { id: world.newId(), madeAt: world.now(), bytes: owed, load };
  return JSON.stringify(toBody(report, { ...identity, token: "[not shown]" }), undefined, 2);
}

/** Tries everything that a report needs, one line each. @returns whether all of it is well */
export async function checkParts(
  { source, journal, client }: AgentParts,
  out: (line: string) => void,
  platform: string,
): Promise<boolean> {
  let isWell = true;
  const attempt = async (what: string, work: () => Promise<string>) => {
    try {
      out(`ok      ${what}: ${await work()}`);
    } catch (error) {
      isWell = false;
      out(`FAILED  ${what}: ${(error as Error).message}`);
    }
  };
  await attempt("counters", async () => {
    const counters = await source.readCounters();
    const from = { ...emptyLedger, source: source.name };
    const { passed } = count(from, source, counters, "both");
    return `${source.name}, ${passed.in} bytes in and ${passed.out} bytes out so far`;
  });
  await attempt("connections", async () => String(await source.countConnections()));
  await attempt("journal", async () => {
    // An agent that runs already shows that it can be written, and must not be disturbed.
    const lock = await lockJournal(journal.path, platform);
    await journal.save(await journal.load());
    lock?.close();
    return `${journal.path}.0 and .1`;
  });
  await attempt("service", async () => {
    const fault = await client.findFault(new AbortController().signal);
    if (fault !== undefined) throw new Error(fault);
    return "a Waypost service answers; whether it knows this node shows with the first report";
  });
  return isWell;
}
