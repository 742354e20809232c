import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Probe, type ProbeParts } from "../../../src/probe/probe.ts";
import { DialError, type Resolver } from "../../../src/probe/sockets.ts";
import { TargetPolicy } from "../../../src/probe/target-policy.ts";
import type { Verdict } from "../../../src/probe/verdict.ts";
import { FakeSockets, refused, type Answers } from "../../support/fake-sockets.ts";
import { addressOf, anyTarget, FakeResolver, targetOf } from "../../support/probing.ts";
import { ScriptedConnection } from "../../support/scripted-connection.ts";

const IPV4 = "192.0.2.1";
const IPV6 = "2001:db8::1";
const target = targetOf("tcp://node.example:11010");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  const left = vi.getTimerCount();
  vi.useRealTimers();
  if (left > 0) throw new Error(`${left} timers are left`);
});

const now = () => performance.now();

function network(
  addresses: string[],
  answers: Answers,
  parts: Partial<ProbeParts> = {},
): { sockets: FakeSockets; resolver: FakeResolver; probe: Probe } {
  const sockets = new FakeSockets(answers);
  const resolver = new FakeResolver({ "node.example": () => addresses });
  return { sockets, resolver, probe: new Probe({ sockets, resolver, now, ...parts }) };
}

/** The verdict, and when it came. */
async function timed(checking: Promise<Verdict>): Promise<{ verdict: Verdict; afterMs: number }> {
  const startedAt = performance.now();
  const ended = checking.then((verdict) => ({ verdict, afterMs: performance.now() - startedAt }));
  ended.catch(() => {});
  await vi.advanceTimersByTimeAsync(20_000);
  return ended;
}

const timedOut = { isOnline: false, error: "Timed out after 5 s" };

describe("dialling a name", () => {
  test("ends after 5 s when nothing answers", async () => {
    const { probe, sockets } = network([IPV4], {});
    expect(await timed(probe.check(target, anyTarget))).toEqual({
      verdict: timedOut,
      afterMs: 5000,
    });
    expect(sockets.dialled).toEqual([`${IPV4} 11010`]);
  });

  test("gives an address that drops packets half of the time, and the other family the rest", async () => {
    const { probe, sockets } = network([IPV6, "2001:db8::2", IPV4], {
      [IPV4]: { afterMs: 30, as: "opens" },
    });
    const { verdict, afterMs } = await timed(probe.check(target, anyTarget));
    expect(verdict).toMatchObject({ isOnline: true, latencyMs: 30 });
    expect(afterMs).toBe(2530);
    expect(sockets.dialled).toEqual([`${IPV6} 11010`, `${IPV4} 11010`]);
  });

  test("leaves all the time to the second address when the first refuses", async () => {
    const { probe } = network([IPV4, "192.0.2.2"], {
      [IPV4]: { as: refused },
      "192.0.2.2": { afterMs: 4900, as: "opens" },
    });
    const { verdict } = await timed(probe.check(target, anyTarget));
    expect(verdict).toMatchObject({ isOnline: true, latencyMs: 4900 });
  });

  test("tries no more than two addresses, and says what the first one did", async () => {
    const unreachable = new DialError("unreachable", "No route to the network");
    const { probe, sockets } = network([IPV4, "192.0.2.2", "192.0.2.3", IPV6], {
      [IPV4]: { as: refused },
      [IPV6]: { as: unreachable },
    });
    const { verdict } = await timed(probe.check(target, anyTarget));
    expect(verdict).toEqual({ isOnline: false, error: "Connection refused" });
    expect(sockets.dialled).toEqual([`${IPV4} 11010`, `${IPV6} 11010`]);
  });

  test("tries two of one family when there is no other", async () => {
    const { probe, sockets } = network([IPV4, "192.0.2.2", "192.0.2.3"], {});
    expect((await timed(probe.check(target, anyTarget))).verdict).toEqual(timedOut);
    expect(sockets.dialled).toEqual([`${IPV4} 11010`, "192.0.2.2 11010"]);
  });

  test("has 5 s with the resolving, of which that may take 3", async () => {
    const resolver: Resolver = {
      resolve: (name) =>
        new Promise((resolve) => {
          if (name === "slow.example") setTimeout(resolve, 2900, [IPV4]);
        }),
    };
    const { probe } = network([], {}, { resolver });
    const slow = await timed(probe.check(targetOf("tcp://slow.example:1"), anyTarget));
    expect(slow).toEqual({ verdict: timedOut, afterMs: 5000 });
    const never = await timed(probe.check(targetOf("tcp://never.example:1"), anyTarget));
    const error = "The name could not be resolved in time";
    expect(never).toEqual({ verdict: { isOnline: false, error }, afterMs: 3000 });
  });

  test("says when the name has no address, and when nobody could tell", async () => {
    const without = await network([], {}).probe.check(target, anyTarget);
    expect(without).toEqual({ isOnline: false, error: "The name has no address" });
    const error = new DialError("name_unresolved", "The name could not be resolved");
    const failing: Resolver = { resolve: () => Promise.reject(error) };
    const unknown = await network([], {}, { resolver: failing }).probe.check(target, anyTarget);
    expect(unknown).toEqual({ isOnline: false, error: error.message });
  });

  test("does not blame the other side for what is our own trouble", async () => {
    const trouble = new Error("too many open files");
    const { probe } = network([IPV4], { [IPV4]: { as: trouble } });
    await expect(probe.check(target, anyTarget)).rejects.toBe(trouble);
    const failing: Resolver = { resolve: () => Promise.reject(trouble) };
    const other = network([], {}, { resolver: failing }).probe;
    await expect(other.check(target, anyTarget)).rejects.toBe(trouble);
  });

  test("closes a connection that opens too late", async () => {
    const { probe, sockets } = network([IPV4], { [IPV4]: { afterMs: 6000, as: "opens" } });
    const { verdict } = await timed(probe.check(target, anyTarget));
    expect(verdict).toEqual(timedOut);
    expect(sockets.opened).toEqual([expect.objectContaining({ closed: true })]);
  });
});

describe("locating a server", () => {
  test("gives its best address, or why it is not dialled", async () => {
    const policy = new TargetPolicy("public", []);
    const { probe, resolver } = network(["8.8.8.8", "2001:4860::1"], {});
    const server = addressOf("tcp://node.example:1");
    expect(await probe.locate(server, policy)).toEqual({ address: "8.8.8.8" });
    expect(resolver.asked).toEqual(["node.example"]);
    const local = addressOf("tcp://127.0.0.1:1");
    const error = "Loopback addresses are not checked";
    expect(await probe.locate(local, policy)).toEqual({ error });
    expect(await probe.locate(local, anyTarget)).toEqual({ address: "127.0.0.1" });
  });
});

describe("shaking hands", () => {
  const at = targetOf(`tcp://${IPV4}:1`);

  test("has 3 s of its own after the connect", async () => {
    const mute = new ScriptedConnection([], "silence");
    const { probe } = network([], { [IPV4]: { afterMs: 4900, as: mute } });
    const { verdict, afterMs } = await timed(probe.check(at, anyTarget));
    expect(verdict).toEqual({ isOnline: true, latencyMs: 4900, handshake: "not_overlay" });
    expect(afterMs).toBe(7900);
    expect(mute.closed).toBe(true);
  });

  test("is not tried where the place cannot speak TLS to that server", async () => {
    const connection = new ScriptedConnection([]);
    connection.secure = () => Promise.reject(new DialError("failed", "no such certificate"));
    const { probe } = network([], { [IPV4]: { as: connection } });
    const verdict = await probe.check(targetOf(`wss://${IPV4}:1`), anyTarget);
    expect(verdict).toEqual({ isOnline: true, latencyMs: 0, handshake: "not_tried" });
    expect(connection.closed).toBe(true);
  });

  test("names the server in TLS only when it has a name", async () => {
    const named: (string | undefined)[] = [];
    const connection = new ScriptedConnection([]);
    connection.secure = async (name) => {
      named.push(name);
      return connection;
    };
    const { probe } = network([IPV4], { [IPV4]: { as: connection } });
    await probe.check(targetOf("wss://node.example:1"), anyTarget);
    await probe.check(targetOf(`wss://${IPV4}:1`), anyTarget);
    expect(named).toEqual(["node.example", undefined]);
  });

  test("ends when a connection neither reads nor writes nor closes", async () => {
    const stuck = new ScriptedConnection([], "silence");
    stuck.write = () => new Promise(() => {});
    const { probe } = network([], { [IPV4]: { as: stuck } });
    const { verdict, afterMs } = await timed(probe.check(at, anyTarget));
    expect(verdict).toMatchObject({ isOnline: true, handshake: "not_overlay" });
    expect(afterMs).toBe(3000);
  });

  test("does not hide a mistake of ours", async () => {
    const mistake = new TypeError("a mistake");
    const random = () => {
      throw mistake;
    };
    const { probe } = network([], { [IPV4]: { as: "opens" } }, { random });
    await expect(probe.check(at, anyTarget)).rejects.toBe(mistake);
  });
});

describe("a check that is called off", () => {
  const reason = new Error("called off");

  test("before it began does nothing", async () => {
    const { probe, sockets, resolver } = network([IPV4], {});
    await expect(probe.check(target, anyTarget, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect([...resolver.asked, ...sockets.dialled]).toEqual([]);
  });

  test.each([
    ["resolving", { resolver: { resolve: () => new Promise<string[]>(() => {}) } }, {}],
    ["dialling", {}, {}],
    ["shaking hands", {}, { [IPV4]: { as: new ScriptedConnection([], "silence") } }],
  ])("while %s ends at once", async (_when, parts, answers) => {
    const { probe, sockets } = network([IPV4], answers, parts);
    const calling = new AbortController();
    const checking = probe.check(target, anyTarget, calling.signal);
    checking.catch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    calling.abort(reason);
    await expect(checking).rejects.toBe(reason);
    for (const connection of sockets.opened) expect(connection).toMatchObject({ closed: true });
  });
});
