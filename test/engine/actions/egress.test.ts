import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Egress } from "../../../src/server/lib/egress.ts";
import { EgressPolicy, type EgressMode } from "../../../src/server/lib/egress-policy.ts";
import { NameLookup } from "../../../src/server/lib/name-lookup.ts";
import { DialError } from "../../../src/probe/sockets.ts";
import { openOutgoing } from "../../support/outgoing.ts";
import { ProviderServer } from "../../support/provider-server.ts";

const OWN = { host: "0.0.0.0", port: 8080 };

function judge(mode: EgressMode, address: string, port = 80): string | undefined {
  const policy = new EgressPolicy({
    mode,
    ownListener: () => OWN,
    ownAddresses: () => ["127.0.0.1", "192.168.1.5", "2001:db8:1::5"],
  });
  return policy.objection(address, port);
}

describe("the policy for targets", () => {
  test.each([
    "192.168.1.9",
    "10.0.0.1",
    "172.31.255.255",
    "127.0.0.1",
    "::1",
    "fd12:3456::1",
    "100.64.0.1",
    "198.18.0.7",
    "::ffff:192.168.1.9",
    "64:ff9b::c0a8:0109",
  ])("allows %s in a home network, and not in public", (address) => {
    expect(judge("lan", address)).toBe(undefined);
    expect(judge("public", address)).toMatch(/which WEBHOOK_POLICY=public refuses$/);
  });

  test.each(["1.1.1.1", "203.0.114.1", "2606:4700::1111", "::ffff:1.1.1.1", "2002:0101:0101::"])(
    "allows %s everywhere",
    (address) => {
      expect(judge("lan", address)).toBe(undefined);
      expect(judge("public", address)).toBe(undefined);
    },
  );

  test.each([
    ["169.254.169.254", "link-local"],
    ["169.254.0.1", "link-local"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "no address"],
    ["100.100.100.200", "metadata"],
    ["192.0.0.192", "metadata"],
    ["fd00:ec2::254", "metadata"],
    ["fd20:ce::254", "metadata"],
    ["168.63.129.16", "cloud platform"],
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["::", "unspecified"],
    ["224.0.0.1", "multicast"],
    ["ff02::1", "multicast"],
    ["255.255.255.255", "broadcast"],
    ["240.0.0.1", "reserved"],
    ["::ffff:169.254.169.254", "link-local"],
    ["64:ff9b::a9fe:a9fe", "link-local"],
    ["2002:a9fe:a9fe::1", "link-local"],
    ["64:ff9b:1::a9fe:a9fe", "private translation"],
    ["::169.254.169.254", "link-local"],
    ["::ffff:100.100.100.200", "metadata"],
    ["::ffff:0.0.0.0", "unspecified"],
    ["localhost", "no address"],
    ["127.1", "no address"],
    ["2130706433", "no address"],
    ["0x7f000001", "no address"],
    ["0177.0.0.1", "no address"],
  ])("never allows %s", (address, why) => {
    for (const mode of ["lan", "public"] as const) expect(judge(mode, address)).toContain(why);
  });

  test.each(["127.0.0.1", "127.9.9.9", "::1", "192.168.1.5", "2001:db8:1::5", "::ffff:127.0.0.1"])(
    "knows that the service itself listens at %s",
    (address) => {
      expect(judge("lan", address, 8080)).toMatch(/is this service itself$/);
      expect(judge("lan", address, 8081)).toBe(undefined);
    },
  );

  test.each([
    ["127.0.0.1", "127.0.0.1", true],
    ["localhost", "127.0.0.1", true],
    ["localhost", "::1", true],
    ["127.0.0.1", "192.168.1.5", false],
    ["192.168.1.5", "192.168.1.5", true],
    ["192.168.1.5", "127.0.0.1", false],
    ["0.0.0.0", "192.168.1.6", false],
  ])("with a service that listens at %s, refuses %s: %s", (host, address, refused) => {
    const policy = new EgressPolicy({
      mode: "lan",
      ownListener: () => ({ host, port: 8080 }),
      ownAddresses: () => ["192.168.1.5"],
    });
    expect(policy.objection(address, 8080) !== undefined).toBe(refused);
  });
});

/** The answer to a request, or what it failed with. */
async function attempt(
  url: string,
  options: Parameters<typeof openOutgoing>[0] = {},
): Promise<unknown> {
  const { http } = openOutgoing(options);
  const exchange = http.exchange([], new AbortController().signal);
  try {
    return await exchange.send({ stage: "write", method: "GET", url, headers: {} });
  } catch (error) {
    return error;
  } finally {
    await http.stop();
  }
}

describe("a request to a forbidden target", () => {
  let victim: ProviderServer;
  beforeEach(async () => {
    victim = await ProviderServer.listen(undefined, { host: "0.0.0.0" });
  });
  afterEach(async () => victim.close());

  const refused = { kind: "refused_by_policy" };

  test("reaches the victim as long as nothing forbids it, so that the others prove something", async () => {
    expect(await attempt(`${victim.url}/`)).toMatchObject({ status: 200 });
    expect(victim.connections).toBe(1);
  });

  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "1２7.0.0.1",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::127.0.0.1]",
    "localhost.",
    "target.example",
    "TARGET.example",
  ])("opens no connection to %s under the policy public", async (host) => {
    const names = { "target.example": ["127.0.0.1"], "localhost.": ["127.0.0.1"] };
    const failure = await attempt(`http://${host}:${victim.port}/`, { mode: "public", names });
    expect(failure).toMatchObject(refused);
    expect(victim.connections).toBe(0);
  });

  test.each(["0.0.0.0", "0", "[::]", "169.254.169.254", "[fe80::1]", "[fd00:ec2::254]"])(
    "opens no connection to %s under any policy",
    async (host) => {
      for (const mode of ["lan", "public"] as const) {
        expect(await attempt(`http://${host}:${victim.port}/`, { mode })).toMatchObject(refused);
      }
      expect(victim.connections).toBe(0);
    },
  );

  test("opens no connection to a name that leads to a forbidden address among others", async () => {
    const names = { "two.example": ["127.0.0.1", "169.254.169.254"] };
    const failure = await attempt(`http://two.example:${victim.port}/`, { names });
    expect(failure).toMatchObject({
      ...refused,
      message: expect.stringMatching(/two\.example leads to 169\.254\.169\.254 is a link-local/),
    });
    expect(victim.connections).toBe(0);
  });

  test.each(["127.0.0.1", "localhost", "service.example", "[::ffff:127.0.0.1]"])(
    "opens no connection to our own listener, called %s",
    async (host) => {
      const failure = await attempt(`http://${host}:${victim.port}/api/auth/login`, {
        ownListener: { host: "0.0.0.0", port: victim.port },
        names: { localhost: ["127.0.0.1"], "service.example": ["127.0.0.1"] },
      });
      expect(failure).toMatchObject({
        ...refused,
        message: expect.stringContaining("this service itself"),
      });
      expect(victim.connections).toBe(0);
    },
  );

  test("asks for a name once a connection, and judges it anew for the next one", async () => {
    victim.answer = () => ({ status: 200, headers: { connection: "close" } });
    const names = { "rebinding.example": [["127.0.0.1"], ["169.254.169.254"]] };
    const { http, resolver } = openOutgoing({ names });
    const exchange = http.exchange([], new AbortController().signal);
    const url = `http://rebinding.example:${victim.port}/`;
    const request = { stage: "write", method: "GET", url, headers: {} } as const;
    expect(await exchange.send(request)).toMatchObject({ status: 200 });
    expect(resolver.asked).toEqual(["rebinding.example"]);
    await expect(exchange.send(request)).rejects.toMatchObject(refused);
    expect(resolver.asked).toHaveLength(2);
    expect(victim.connections).toBe(1);
    await http.stop();
  });

  test("keeps the name for the server and its certificate while it dials the checked address", async () => {
    const secure = await ProviderServer.listen(undefined, { tls: true });
    const failure = await attempt(`https://named.example:${secure.port}/`, {
      names: { "named.example": ["127.0.0.1"] },
    });
    expect(failure).toMatchObject({ kind: "tls" });
    expect(secure.connections).toBe(1);
    await secure.close();
    await attempt(`http://named.example:${victim.port}/`, {
      names: { "named.example": ["127.0.0.1"] },
    });
    expect(victim.received[0]?.message.headers.host).toBe(`named.example:${victim.port}`);
  });
});

describe("a name", () => {
  const policy = new EgressPolicy({
    mode: "lan",
    ownListener: () => undefined,
    ownAddresses: () => [],
  });
  const locate = (resolve: (name: string, signal: AbortSignal) => Promise<string[]>) =>
    new Egress({ policy, resolver: { resolve } }).locate("a.example", 80, 20);

  test("without an address, one that cannot be asked for, one that takes too long", async () => {
    await expect(locate(() => Promise.resolve([]))).rejects.toMatchObject({
      kind: "network",
      message: "a.example has no address",
    });
    const failure = new DialError("name_unresolved", "no");
    await expect(locate(() => Promise.reject(failure))).rejects.toMatchObject({
      kind: "network",
      message: "a.example could not be resolved",
    });
    await expect(locate(() => new Promise(() => {}))).rejects.toMatchObject({ kind: "timeout" });
  });

  test("of the home network is left to the system, others are asked of the name servers", async () => {
    const asked: string[] = [];
    const lookup = new NameLookup({
      resolve: (name) => {
        asked.push(name);
        return Promise.resolve(["192.0.2.1"]);
      },
    });
    const { signal } = new AbortController();
    expect(await lookup.resolve("nas.example", signal)).toEqual(["192.0.2.1"]);
    expect(await lookup.resolve("localhost", signal)).toEqual(["192.0.2.1"]);
    expect(asked).toEqual(["nas.example", "localhost"]);
    const found = lookup.resolve("no-such-host-here-7f3a", signal);
    expect(await found.catch((error: unknown) => error)).not.toEqual(["192.0.2.1"]);
    expect(asked).toHaveLength(2);
  });
});
