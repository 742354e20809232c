import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChangeSubscriber } from "../../src/server/stun/change-port.ts";
import type { MappingChange } from "../../src/server/stun/rule.ts";
import { STOPPED } from "../../src/server/stun/watcher.ts";
import { SERVERS, StunWorld } from "../support/stun-world.ts";

const [FIRST = "", SECOND = "", THIRD = ""] = SERVERS;
const INTERVAL_MS = 20_000;
/** An interval, two seconds and the time to settle. */
const IN_TIME_MS = 25_000;

/** Notes in the transaction of each change that it was told. */
function noting(told: MappingChange[], failures = { left: 0 }): ChangeSubscriber {
  return {
    onConfirmed: async (change, rule, tx) => {
      const key = `change ${change.id} of ${rule.name}`;
      await tx.insertInto("settings").values({ key, value: "noted" }).execute();
      if (failures.left-- > 0) throw new Error("the subscriber fails");
    },
    onStored: (change) => told.push(change),
  };
}

describe.each(["sqlite", "postgres"] as const)("the watcher on %s", (dialect) => {
  let world: StunWorld;
  beforeEach(async () => {
    world = await StunWorld.open(dialect);
  });
  afterEach(() => world.close());

  async function notes(): Promise<string[]> {
    const rows = await world.database.db.selectFrom("settings").select("key").execute();
    return rows.map((row) => row.key).filter((key) => key.startsWith("change "));
  }

  test("stores the first mapping as the baseline and tells nobody", async () => {
    const told: MappingChange[] = [];
    const stun = await world.boot({ subscriber: noting(told) });
    const { id, state } = await world.create(stun);
    expect(state).toMatchObject({ status: "starting", public_ip: null, last_change_at: null });
    await world.advance(1_000);
    expect(await stun.service.get(id)).toMatchObject({
      local_port: 0,
      state: {
        status: "open",
        public_ip: "203.0.113.7",
        public_port: 5_000,
        local_port: world.nat.openHoles[0]?.local.port,
        consecutive_failures: 0,
        last_error: null,
      },
    });
    expect(await stun.service.listChanges(id, { limit: 9 })).toEqual([
      {
        id: 1,
        rule_id: id,
        public_ip: "203.0.113.7",
        public_port: 5_000,
        previous_ip: null,
        previous_port: null,
        changed: [],
        confirmed_by: [FIRST, SECOND],
        at: expect.any(String) as unknown,
      },
    ]);
    expect(told).toEqual([]);
    expect(await notes()).toEqual([]);
  });

  test("goes on in time however often it was asked to probe now", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun);
    await world.advance(5_000);
    for (let asked = 0; asked < 10; asked++) {
      const probe = stun.watcher.probe(id);
      await world.advance(100);
      await probe;
    }
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(IN_TIME_MS);
    expect(await world.changesOf(stun, id)).toHaveLength(2);
  });

  test("stores a change once, in one transaction with what its subscriber adds", async () => {
    const told: MappingChange[] = [];
    const stun = await world.boot({ subscriber: noting(told) });
    const { id } = await world.create(stun);
    await world.advance(60_000);
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(IN_TIME_MS);
    world.nat.mapping = { address: "203.0.113.8", port: 5_001 };
    await world.advance(IN_TIME_MS);
    world.nat.mapping = { address: "203.0.113.9", port: 5_002 };
    await world.advance(600_000);
    expect(await world.changesOf(stun, id)).toEqual([
      "203.0.113.7:5000",
      "203.0.113.7:5001 port",
      "203.0.113.8:5001 ip",
      "203.0.113.9:5002 ip+port",
    ]);
    expect(told.map((each) => each.previous?.port)).toEqual([5_000, 5_001, 5_001]);
    expect(await notes()).toHaveLength(3);
    expect(stun.watcher.counts.changes).toBe(3);
  });

  test("tells nobody of changes of rules that trigger no callbacks", async () => {
    const told: MappingChange[] = [];
    const stun = await world.boot({ subscriber: noting(told) });
    const { id } = await world.create(stun, { triggerCallbacks: false });
    await world.advance(1_000);
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(IN_TIME_MS);
    expect(await world.changesOf(stun, id)).toHaveLength(2);
    expect(told).toEqual([]);
    expect(await notes()).toEqual([]);
  });

  test("stores nothing of a change whose subscriber fails, and tries again", async () => {
    const told: MappingChange[] = [];
    const stun = await world.boot({ subscriber: noting(told, { left: 2 }) });
    const { id } = await world.create(stun);
    await world.advance(1_000);
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(IN_TIME_MS);
    expect(await world.changesOf(stun, id)).toEqual(["203.0.113.7:5000"]);
    expect(await notes()).toEqual([]);
    for (let time = 0; time < 3; time++) await world.advance(10_000);
    expect(await world.changesOf(stun, id)).toEqual(["203.0.113.7:5000", "203.0.113.7:5001 port"]);
    expect(told).toHaveLength(1);
    expect(await notes()).toHaveLength(1);
  });

  test("finds no change after a restart on the same mapping", async () => {
    const first = await world.boot();
    const { id } = await world.create(first);
    await world.advance(1_000);
    await world.stop(first);
    await world.advance(3_600_000);
    const told: MappingChange[] = [];
    const second = await world.boot({ subscriber: noting(told) });
    await world.advance(600_000);
    expect((await second.service.get(id)).state.status).toBe("open");
    expect(await world.changesOf(second, id)).toEqual(["203.0.113.7:5000"]);
    expect(told).toEqual([]);
  });

  test("finds exactly one after a restart on another mapping", async () => {
    const first = await world.boot();
    const { id } = await world.create(first);
    await world.advance(1_000);
    await world.stop(first);
    world.nat.mapping = { address: "203.0.113.99", port: 5_000 };
    const told: MappingChange[] = [];
    const second = await world.boot({ subscriber: noting(told) });
    await world.advance(600_000);
    expect(await world.changesOf(second, id)).toEqual(["203.0.113.7:5000", "203.0.113.99:5000 ip"]);
    expect(told).toHaveLength(1);
  });

  test("stores a change that was confirmed while the storage was away; the newest one wins", async () => {
    const told: MappingChange[] = [];
    const stun = await world.boot({ subscriber: noting(told) });
    const { id } = await world.create(stun);
    await world.advance(1_000);
    world.mood = "away";
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(60_000);
    expect((await stun.service.get(id)).state).toMatchObject({
      status: "suspect",
      public_port: 5_000,
      last_error: "The change to 203.0.113.7:5001 waits for the database",
    });
    world.nat.mapping = { address: "203.0.113.8", port: 5_002 };
    await world.advance(60_000);
    expect(await world.changesOf(stun, id)).toEqual(["203.0.113.7:5000"]);
    world.mood = "fine";
    await world.advance(60_000);
    expect(await world.changesOf(stun, id)).toEqual([
      "203.0.113.7:5000",
      "203.0.113.8:5002 ip+port",
    ]);
    expect((await stun.service.get(id)).state).toMatchObject({
      status: "open",
      public_ip: "203.0.113.8",
      last_error: null,
    });
    expect(told).toHaveLength(1);
  });

  test("stores nothing when the mapping is the old one again before the storage is back", async () => {
    const told: MappingChange[] = [];
    const stun = await world.boot({ subscriber: noting(told) });
    const { id } = await world.create(stun);
    await world.advance(1_000);
    const before = world.nat.mapping;
    world.mood = "away";
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(60_000);
    world.nat.mapping = before;
    await world.advance(60_000);
    world.mood = "fine";
    await world.advance(120_000);
    expect(await world.changesOf(stun, id)).toEqual(["203.0.113.7:5000"]);
    expect((await stun.service.get(id)).state.status).toBe("open");
    expect(told).toEqual([]);
  });

  test("stores a change once when the answer to its commit was lost", async () => {
    const told: MappingChange[] = [];
    const stun = await world.boot({ subscriber: noting(told) });
    const { id } = await world.create(stun);
    await world.advance(1_000);
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    world.mood = "loses the answer";
    await world.advance(60_000);
    expect(told).toEqual([]);
    world.mood = "fine";
    await world.advance(60_000);
    expect(await world.changesOf(stun, id)).toEqual(["203.0.113.7:5000", "203.0.113.7:5001 port"]);
    expect(told.map((each) => each.id)).toEqual([2]);
    expect(await notes()).toHaveLength(1);
  });

  test("finds a change again that was confirmed and not stored when the process was killed", async () => {
    const killed = await world.boot();
    const { id } = await world.create(killed);
    await world.advance(1_000);
    world.mood = "away";
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(60_000);
    expect(killed.watcher.waitingChanges).toBe(1);
    // Nothing more of it happens.
    await killed.watcher.stop();
    await killed.watcher.settleLast();
    world.mood = "fine";
    const next = await world.boot();
    await world.advance(60_000);
    expect(await world.changesOf(next, id)).toEqual(["203.0.113.7:5000", "203.0.113.7:5001 port"]);
  });

  test("leaves no hole and no timer when it stops, and says so", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun);
    await world.create(stun, { name: "second", transport: "tcp" });
    await world.advance(60_000);
    expect(world.nat.openHoles).toHaveLength(2);
    // Amid a round.
    world.nat.isCut = true;
    await world.advance(INTERVAL_MS + 500);
    await world.stop(stun);
    expect(world.nat.openHoles).toEqual([]);
    expect(world.time.waiting).toBe(0);
    expect((await stun.service.get(id)).state).toMatchObject({
      status: "error",
      public_ip: null,
      last_error: STOPPED,
    });
    const states = await world.database.db.selectFrom("stun_states").selectAll().execute();
    expect(states.map((each) => each.last_error)).toEqual([STOPPED, STOPPED]);
    await stun.stop();
  });

  test("minds no jump of the clock of the wall", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun);
    await world.advance(60_000);
    for (const [at, jumpMs] of [-3_600_000, 7_200_000, -86_400_000].entries()) {
      world.clock.advance(jumpMs);
      world.nat.asked.length = 0;
      await world.advance(INTERVAL_MS * 3);
      // Ports that changed by themselves have halved the interval.
      expect(world.nat.asked.length).toBeLessThanOrEqual(8);
      expect((await stun.service.get(id)).state.status).toBe("open");
      world.nat.mapping = { address: "203.0.113.7", port: 5_001 + at };
      world.clock.advance(jumpMs);
      await world.advance(IN_TIME_MS);
    }
    expect(await world.changesOf(stun, id)).toEqual([
      "203.0.113.7:5000",
      "203.0.113.7:5001 port",
      "203.0.113.7:5002 port",
      "203.0.113.7:5003 port",
    ]);
  });

  test("says in the log when a hole opens, changes, fails and is back, each once", async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>);
    const stun = await world.boot({ logger: pino({ base: null }, { write }) });
    await world.create(stun);
    await world.advance(60_000);
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(60_000);
    world.nat.isCut = true;
    await world.advance(300_000);
    world.nat.isCut = false;
    await world.advance(60_000);
    await world.stop(stun);
    const rule = "home";
    const silence = expect.stringMatching(/did not answer/) as unknown;
    const local = expect.stringMatching(/^[\d.]+:\d+$/) as unknown;
    expect(lines.filter((line) => line["rule"] === rule)).toMatchObject([
      { msg: "a hole is open", level: 30, local },
      { msg: "a public address is known", level: 30, mapping: "203.0.113.7:5000" },
      { msg: "a public address has changed", mapping: "203.0.113.7:5001" },
      { msg: "a hole has failed", level: 40, status: "lost", local, reason: silence },
      { msg: "a hole is open", level: 30, local },
    ]);
  });

  test("is lost when all servers die, and found again with the same mapping", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun);
    await world.advance(60_000);
    world.nat.isCut = true;
    await world.advance(120_000);
    const { state } = await stun.service.get(id);
    expect(state).toMatchObject({ status: "lost", public_ip: null });
    expect(state.consecutive_failures).toBeGreaterThanOrEqual(3);
    expect(state.last_error).toMatch(/did not answer/);
    world.nat.isCut = false;
    await world.advance(INTERVAL_MS);
    expect((await stun.service.get(id)).state).toMatchObject({
      status: "open",
      consecutive_failures: 0,
      last_error: null,
    });
    expect(await world.changesOf(stun, id)).toHaveLength(1);
  });

  test("asks the next server when one dies, and the dead one rarely from then on", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun);
    await world.advance(60_000);
    world.nat.dead.add(FIRST);
    await world.advance(INTERVAL_MS * 2);
    expect((await stun.service.get(id)).state).toMatchObject({ status: "open", server: SECOND });
    world.nat.asked.length = 0;
    await world.advance(600_000);
    const ofDead = world.nat.asked.filter((each) => each === FIRST).length;
    expect(ofDead).toBeLessThanOrEqual(2);
    expect(world.nat.asked.length).toBeGreaterThan(28);
    expect(world.nat.asked.length).toBeLessThan(36);
    expect(await world.changesOf(stun, id)).toHaveLength(1);
  });

  test("stays open with one liar among three servers", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun);
    await world.advance(60_000);
    world.nat.lies.set(FIRST, { address: "198.51.100.66", port: 6 });
    await world.advance(1_200_000);
    expect((await stun.service.get(id)).state).toMatchObject({ status: "open", last_error: null });
    expect(await world.changesOf(stun, id)).toHaveLength(1);
  });

  test("says so when each server sees another port", async () => {
    const stun = await world.boot();
    for (const [at, server] of [FIRST, SECOND, THIRD].entries()) {
      world.nat.lies.set(server, { address: "203.0.113.7", port: 7_000 + at });
    }
    const { id } = await world.create(stun, { transport: "tcp" });
    await world.advance(60_000);
    const { state } = await stun.service.get(id);
    expect(state.status).toBe("endpoint_dependent");
    expect(state.last_error).toMatch(/203\.0\.113\.7:7000 \(by 198\.51\.100\.1:3478\)/);
    expect(state.last_error).toMatch(/another port.*A TCP hole needs/);
    expect(await world.changesOf(stun, id)).toEqual([]);
  });

  test("opens a hole again that broke, at the same port, and sees no change in that", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun);
    await world.advance(60_000);
    const [broken] = world.nat.openHoles;
    const port = broken?.local.port;
    broken?.events.lost("192.0.2.9 is no longer an address of this host");
    await world.advance(500);
    expect((await stun.service.get(id)).state).toMatchObject({
      status: "error",
      last_error: "192.0.2.9 is no longer an address of this host",
    });
    await world.advance(2_000);
    expect((await stun.service.get(id)).state.status).toBe("open");
    expect(world.nat.openHoles.map((each) => each.local.port)).toEqual([port]);
    expect(await world.changesOf(stun, id)).toHaveLength(1);
  });

  test("keeps the port that it picked over a restart", async () => {
    const first = await world.boot();
    const { id } = await world.create(first);
    await world.advance(1_000);
    const port = world.nat.openHoles[0]?.local.port;
    await world.stop(first);
    const second = await world.boot();
    await world.advance(1_000);
    expect(world.nat.openHoles.map((each) => each.local.port)).toEqual([port]);
    // A port that is taken meanwhile is waited for, not replaced.
    await world.stop(second);
    world.nat.taken.add(port ?? 0);
    const third = await world.boot();
    await world.advance(10_000);
    expect((await third.service.get(id)).state).toMatchObject({ status: "error" });
    world.nat.taken.clear();
    await world.advance(60_000);
    expect((await third.service.get(id)).state).toMatchObject({ status: "open", local_port: port });
  });

  test("keeps the hole when a rule changes, unless what it is bound to does", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun, { localPort: 7_000 });
    await world.advance(60_000);
    const [hole] = world.nat.openHoles;
    await world.change(stun, id, { name: "other", probeIntervalSeconds: 5 });
    await world.change(stun, id, {
      forwardTo: { host: "10.0.0.2", port: 80, proxyProtocol: false },
    });
    await world.advance(1_000);
    expect(world.nat.openHoles).toEqual([hole]);
    expect(hole?.target).toMatchObject({ host: "10.0.0.2" });
    world.nat.asked.length = 0;
    await world.advance(60_000);
    expect(world.nat.asked.length).toBeGreaterThan(10);

    await world.change(stun, id, { localPort: 7_001 });
    await world.advance(1_000);
    expect(world.nat.openHoles.map((each) => each.local.port)).toEqual([7_001]);
    await world.change(stun, id, { enabled: false });
    expect(world.nat.openHoles).toEqual([]);
    expect((await stun.service.get(id)).state.status).toBe("disabled");
    await world.advance(60_000);
    await world.change(stun, id, { enabled: true });
    await world.advance(1_000);
    expect((await stun.service.get(id)).state.status).toBe("open");
    await world.remove(stun, id);
    expect(world.nat.openHoles).toEqual([]);
    expect(await world.database.db.selectFrom("stun_observations").selectAll().execute()).toEqual(
      [],
    );
  });

  test("runs no rule of another instance and knows how it runs there", async () => {
    const here = await world.boot({ instance: "here" });
    const there = await world.boot({ instance: "there" });
    const { id } = await world.create(here, { instance: "there" });
    await world.advance(1_000);
    expect(world.nat.openHoles).toEqual([]);
    expect((await here.service.get(id)).state.status).toBe("starting");
    await there.runWorkersOnce();
    await world.advance(1_000);
    expect(there.watcher.stateOf(id)?.status).toBe("open");
    expect((await here.service.get(id)).state).toMatchObject({
      status: "open",
      public_ip: "203.0.113.7",
    });
    await expect(here.service.probe(id)).rejects.toThrow("held by the instance there");

    // Handed over, it is closed there before long and opened here.
    await world.change(there, id, { instance: "here" });
    expect(there.watcher.stateOf(id)).toBeUndefined();
    await here.runWorkersOnce();
    await world.advance(1_000);
    expect(here.watcher.stateOf(id)?.status).toBe("open");
    expect(await world.changesOf(here, id)).toHaveLength(1);
  });

  test("asks for addresses again when no server answers", async () => {
    const names: Record<string, string[]> = { "stun.example.org": ["198.51.100.9"] };
    const stun = await world.boot({ names, servers: ["stun.example.org:3478"] });
    const { id } = await world.create(stun, { settleSeconds: 0 });
    await world.advance(60_000);
    expect((await stun.service.get(id)).state).toMatchObject({
      status: "open",
      server: "198.51.100.9:3478",
    });
    world.nat.dead.add("198.51.100.9:3478");
    names["stun.example.org"] = ["198.51.100.9", "198.51.100.10"];
    await world.advance(180_000);
    expect((await stun.service.get(id)).state).toMatchObject({
      status: "open",
      server: "198.51.100.10:3478",
    });
    expect(await world.changesOf(stun, id)).toHaveLength(1);
  });

  test("says so when no server has an address, and goes on asking", async () => {
    const names: Record<string, string[]> = {};
    const stun = await world.boot({ names, servers: ["stun.example.org:3478"] });
    const { id } = await world.create(stun);
    await world.advance(120_000);
    expect((await stun.service.get(id)).state).toMatchObject({
      status: "lost",
      last_error: "None of the STUN servers has an address: stun.example.org:3478",
    });
    names["stun.example.org"] = ["198.51.100.9"];
    await world.advance(60_000);
    expect((await stun.service.get(id)).state.status).toBe("open");
  });

  test("names a server without an address when the others keep silent", async () => {
    const names: Record<string, string[]> = { "stun.example.org": ["198.51.100.9"] };
    const servers = ["stun.example.org:3478", "typo.example.org:3478", "six.example.org:3478"];
    names["six.example.org"] = ["2001:db8::9"];
    const stun = await world.boot({ names, servers });
    const { id } = await world.create(stun);
    await world.advance(60_000);
    expect((await stun.service.get(id)).state).toMatchObject({ status: "open", last_error: null });
    world.nat.dead.add("198.51.100.9:3478");
    await world.advance(60_000);
    const { last_error: said } = (await stun.service.get(id)).state;
    const nameless = "no IPv4 address: typo.example.org:3478, six.example.org:3478";
    expect(said).toMatch(new RegExp(`^.+; ${nameless}$`));
    names["typo.example.org"] = ["198.51.100.10"];
    await world.advance(60_000);
    expect((await stun.service.get(id)).state).toMatchObject({ status: "open", last_error: null });
  });

  test("keeps what probes show for seven days", async () => {
    const stun = await world.boot();
    const { id } = await world.create(stun);
    await world.advance(60_000);
    const shown = await stun.service.listObservations(id, { limit: 100 });
    expect(shown.length).toBeGreaterThanOrEqual(4);
    expect(shown[0]).toEqual({
      at: expect.any(String) as unknown,
      server: FIRST,
      public_ip: "203.0.113.7",
      public_port: 5_000,
      rtt_ms: 20,
      error: null,
    });
    const times = shown.map((each) => each.at);
    expect(times).toEqual(times.toSorted().toReversed());
    await world.change(stun, id, { enabled: false });
    world.clock.advance(7 * 86_400_000 - 120_000);
    await stun.runWorkersOnce();
    expect(await stun.service.listObservations(id, { limit: 100 })).toHaveLength(shown.length);
    world.clock.advance(120_000);
    await stun.runWorkersOnce();
    expect(await stun.service.listObservations(id, { limit: 100 })).toEqual([]);
  });

  test("tells who listens of states and changes", async () => {
    const stun = await world.boot();
    const heard: string[] = [];
    const end = stun.service.subscribe((event) => {
      heard.push(
        event.kind === "change"
          ? `change to ${event.change.public_port}`
          : (stun.watcher.stateOf(event.ruleId)?.status ?? "gone"),
      );
    });
    await world.create(stun);
    await world.advance(1_000);
    world.nat.mapping = { address: "203.0.113.7", port: 5_001 };
    await world.advance(IN_TIME_MS);
    expect(heard.filter((each, at) => each !== heard[at - 1])).toEqual([
      "starting",
      "change to 5000",
      "open",
      "suspect",
      "change to 5001",
      "open",
    ]);
    end();
    world.nat.isCut = true;
    await world.advance(120_000);
    expect(heard).not.toContain("lost");
  });
});

test("thousands of rules are probed in time, on one timer", async () => {
  const world = await StunWorld.open("sqlite");
  const rules = 2_000;
  const columns = { ...COLUMNS, instance: "main", revision: 1, created_at: 0 };
  for (let at = 0; at < rules; at += 100) {
    const rows = Array.from({ length: 100 }, (_, n) => ({ ...columns, name: `rule ${at + n}` }));
    await world.database.db.insertInto("stun_rules").values(rows).execute();
  }
  const stun = await world.boot();
  await world.advance(10_000);
  expect(stun.watcher.statuses()).toEqual(new Map([["open", rules]]));
  world.nat.asked.length = 0;
  await world.advance(40_000);
  expect(world.nat.asked.length).toBeGreaterThan(rules * 1.9);
  expect(world.nat.asked.length).toBeLessThan(rules * 2.2);
  // Each probe under way is a timer of the fake hole.
  expect(world.time.waiting).toBeLessThan(200);
  await world.stop(stun);
  expect(world.time.waiting).toBe(0);
  await world.close();
});

const COLUMNS = {
  enabled: 1,
  transport: "udp",
  local_address: null,
  local_port: 0,
  stun_servers: "[]",
  keepalive_hosts: "[]",
  probe_interval_seconds: 20,
  settle_seconds: 3,
  forward_to: null,
  trigger_callbacks: 1,
} as const;
