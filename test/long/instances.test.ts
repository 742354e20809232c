import { afterEach, expect, test } from "vitest";
import { createReporters, EMAIL, shownTraffic } from "../durability/fleet-of-reporters.ts";
import { ReportStorm } from "../durability/report-storm.ts";
import { InstanceGroup, InTurnClient, until } from "../support/instance-group.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { seededChance } from "../support/seeded-chance.ts";

const NAMES = ["one", "two", "three"];
const ROUNDS = Number(process.env["ROUNDS"] ?? 40);
const SEED = 7;

let server: PostgresServer | undefined;
let group: InstanceGroup | undefined;

afterEach(async () => {
  await group?.clear();
  await server?.destroy();
});

/** What happens to one of the instances, or to all, while reports flow. */
const mishaps = {
  kill: async (of: InstanceGroup, name: string) => {
    await of.kill(name);
    await of.run(name);
  },
  "orderly restart": async (of: InstanceGroup, name: string) => {
    expect(await of.terminate(name)).toBe(0);
    await of.run(name);
  },
  sleep: async (of: InstanceGroup, name: string, chance: () => number) => {
    const { pid } = of.get(name);
    process.kill(pid, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 200 + chance() * 2_000));
    process.kill(pid, "SIGCONT");
  },
  "crash of PostgreSQL": async () => {
    await server?.stop("SIGQUIT");
    await server?.start();
  },
};

test("three instances go through mishaps of all kinds: every report counts exactly once", async () => {
  const chance = seededChance(SEED);
  server = await PostgresServer.create({ fsync: true });
  group = await InstanceGroup.start(server.url(), NAMES, { LOG_LEVEL: "silent" });
  const nodes = await createReporters(group.get("one"), 8);
  const storm = new ReportStorm(EMAIL, nodes);
  const client = new InTurnClient(group);
  const kinds = Object.keys(mishaps) as (keyof typeof mishaps)[];
  for (let round = 0; round < ROUNDS; round++) {
    const kind = kinds[Math.floor(chance() * kinds.length)] as keyof typeof mishaps;
    const name = NAMES[Math.floor(chance() * NAMES.length)] as string;
    const ending = new AbortController();
    const running = storm.run(client, 200, ending.signal);
    await client.until(200, 30);
    await mishaps[kind](group, name, chance);
    await client.until(200, 60);
    ending.abort();
    await running;
    await until(async () => {
      await storm.settle(client);
      return storm.unanswered.length === 0;
    });
    expect(storm.surprises).toEqual([]);
    const expected = new Map(nodes.map((node) => [node.name, storm.expected(node)]));
    for (const instance of group.running) {
      const isRight = async () => {
        const shown = await shownTraffic(instance);
        return nodes.every((node) => shown.get(node.name) === expected.get(node.name));
      };
      // What is wrong then, the comparison shows.
      await until(isRight).catch(() => {});
      const shown = await shownTraffic(instance);
      expect({ round, kind, name, shown }).toEqual({ round, kind, name, shown: expected });
    }
  }
});
