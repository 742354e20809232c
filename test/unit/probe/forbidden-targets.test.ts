import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { NodeSockets } from "../../../src/probe/node/sockets.ts";
import { checkedTransports, parseServerAddress } from "../../../src/probe/server-address.ts";
import type { Connection, Sockets } from "../../../src/probe/sockets.ts";
import { parseRanges, TargetPolicy } from "../../../src/probe/target-policy.ts";
import { anyTarget, FakeResolver, realProbe, targetOf } from "../../support/probing.ts";

/** Listens on every address of this machine, of both families. */
let everywhere: Listener;
const listeners: Listener[] = [];

class Listener {
  connectionCount = 0;
  readonly #server: Server;

  private constructor(answer: string | undefined) {
    this.#server = createServer((socket) => {
      this.connectionCount += 1;
      socket.on("error", () => {});
      socket.resume().end(answer ?? "");
    });
  }

  static async open(host: string, port = 0, answer?: string): Promise<Listener> {
    const listener = new Listener(answer);
    listener.#server.listen({ host, port });
    await once(listener.#server, "listening");
    listeners.push(listener);
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }
}

/** Real sockets that remember what they were told to dial. */
class WatchedSockets implements Sockets {
  readonly dialled: string[] = [];
  readonly #sockets = new NodeSockets();

  connect(address: string, port: number, signal: AbortSignal): Promise<Connection> {
    this.dialled.push(address);
    return this.#sockets.connect(address, port, signal);
  }
}

beforeAll(async () => {
  everywhere = await Listener.open("::");
});

afterEach(() => {
  everywhere.connectionCount = 0;
});

afterAll(() => {
  for (const listener of listeners) listener.close();
});

const publicOnly = new TargetPolicy("public", []);

/** Each leads to this machine when nobody objects. */
// oxfmt-ignore
const spellingsOfHere = [
  "127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "127.0.1", "2130706433", "0x7f000001",
  "0x7F.1", "0x7f.0x0.0x0.0x1", "0177.0.0.1", "017700000001", "0177.0x0.1", "00000177.1",
  "127.0.0.1.", "127.1.", "0.0.0.0", "0", "0x0", "00",
  "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::]", "[::0]", "[::ffff:127.0.0.1]",
  "[::FFFF:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::ffff:0.0.0.0]",
  "１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "0ｘ7f.1",
  "localhost", "LOCALHOST", "LocalHost.", "ｌｏｃａｌｈｏｓｔ", "loca\u{ad}lhost",
  "here.example", "here.example.", "here6.example", "mapped.example", "unspecified.example",
];

/** Forbidden as well, though nobody is there to hear. */
// oxfmt-ignore
const spellingsElsewhere = [
  "0.1", "10.0.0.1", "10.1", "0xa.1", "167772161", "172.16.0.1", "192.168.1.1", "0300.0250.1",
  "169.254.169.254", "2852039166", "0xA9FEA9FE", "[::ffff:169.254.169.254]", "100.64.0.1",
  "100.100.100.200", "168.63.129.16", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1",
  "192.0.2.1", "[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "[fec0::1]", "[ff02::1]",
  "[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b:1::a00:1]", "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::1]", "[2001::1]", "[2001:0:7f00:1::]", "[::127.0.0.1]", "[::a00:1]",
  "[100::1]", "[2001:db8::1]", "[3fff::1]", "[5f00::1]", "[4000::1]",
  "metadata.example", "nat64.example", "sixtofour.example",
];

/** No address at all: whoever asks is told so, and nothing is resolved or dialled. */
// oxfmt-ignore
const noServers = [
  "%31%32%37.0.0.1", "127.0.0.1%00", "127.0.0.1%2523", "user@127.0.0.1", "8.8.8.8@127.0.0.1",
  "8.8.8.8:80@127.0.0.1", "8.8.8.8#@127.0.0.1", "8.8.8.8/@127.0.0.1", "8.8.8.8\\@127.0.0.1",
  "8.8.8.8?@127.0.0.1", "127.0.0.1/..", "[::1%25lo]", "[::1%lo]", "[fe80::1%25eth0]", "::1",
  "[::ffff:0x7f.1]", "[127.0.0.1]", "127.0.0.1 ", " 127.0.0.1", "127.0.0.1\t", "127.0.0.1\n",
  "127.0.0.1\0", "127.0.0.1\r\nHost: a", "8.8.8.8,127.0.0.1", "127.0.0.256", "127.0.0.0.1",
  "0x7f.0.0.0x100", "09.0.0.1", "4294967296", "localhost..", "..", "", "-", "127.0.0.1]", "*",
];

const names: Readonly<Record<string, () => string[]>> = {
  localhost: () => ["127.0.0.1", "::1"],
  "here.example": () => ["127.0.0.1"],
  "here6.example": () => ["::1"],
  "mapped.example": () => ["::ffff:127.0.0.1"],
  "unspecified.example": () => ["0.0.0.0"],
  "metadata.example": () => ["169.254.169.254"],
  "nat64.example": () => ["64:ff9b::7f00:1"],
  "sixtofour.example": () => ["2002:7f00:1::"],
};

function set(): { sockets: WatchedSockets; probe: ReturnType<typeof realProbe> } {
  const sockets = new WatchedSockets();
  return { sockets, probe: realProbe({ sockets, resolver: new FakeResolver(names) }) };
}

describe("where only public targets are checked", () => {
  test.each([...spellingsOfHere, ...spellingsElsewhere])(
    "%s is refused and not dialled",
    async (host) => {
      for (const transport of checkedTransports) {
        const { probe, sockets } = set();
        const target = targetOf(`${transport}://${host}:${everywhere.port}`);
        const verdict = await probe.check(target, publicOnly);
        expect(verdict).toEqual({
          isOnline: false,
          error: expect.stringMatching(/are not checked$/),
        });
        expect(sockets.dialled).toEqual([]);
      }
      expect(everywhere.connectionCount).toBe(0);
    },
  );

  test.each(noServers)("%j is no host of a server", (host) => {
    for (const transport of checkedTransports) {
      expect(parseServerAddress(`${transport}://${host}:${everywhere.port}`)).toBeUndefined();
    }
  });
});

describe("where any target is checked", () => {
  test.each(spellingsOfHere)("%s is dialled, so that the refusal says something", async (host) => {
    const { probe } = set();
    const target = targetOf(`tcp://${host}:${everywhere.port}`);
    expect(await probe.check(target, anyTarget)).toMatchObject({ isOnline: true });
    expect(everywhere.connectionCount).toBe(1);
  });
});

/** Two listeners on one port: one where `allowed` lets the probe go, one where it does not. */
async function pair(): Promise<{ open: Listener; closed: Listener; port: number }> {
  const open = await Listener.open("127.0.0.2");
  const closed = await Listener.open("127.0.0.1", open.port);
  return { open, closed, port: open.port };
}

describe("a name", () => {
  const allowed = new TargetPolicy("public", parseRanges("127.0.0.2") ?? []);

  test("whose second answer differs is dialled where the first one led", async () => {
    const { open, closed, port } = await pair();
    const resolver = new FakeResolver({
      "turning.example": (time) => [time === 0 ? "127.0.0.2" : "127.0.0.1"],
    });
    const verdict = await realProbe({ resolver }).check(
      targetOf(`tcp://turning.example:${port}`),
      allowed,
    );
    expect(verdict).toMatchObject({ isOnline: true });
    expect([open.connectionCount, closed.connectionCount]).toEqual([1, 0]);
    expect(resolver.asked).toEqual(["turning.example"]);
  });

  test("that is forbidden at first is not asked again", async () => {
    const { open, closed, port } = await pair();
    const resolver = new FakeResolver({
      "turning.example": (time) => [time === 0 ? "127.0.0.1" : "127.0.0.2"],
    });
    const verdict = await realProbe({ resolver }).check(
      targetOf(`tcp://turning.example:${port}`),
      allowed,
    );
    expect(verdict).toEqual({ isOnline: false, error: "Loopback addresses are not checked" });
    expect([open.connectionCount, closed.connectionCount]).toEqual([0, 0]);
    expect(resolver.asked).toEqual(["turning.example"]);
  });

  test.each([
    ["first", ["127.0.0.1", "127.0.0.2"]],
    ["last", ["127.0.0.2", "127.0.0.1"]],
    ["in the other family", ["127.0.0.2", "::1"]],
  ])("with a forbidden address %s is refused wholly", async (_where, addresses) => {
    const { open, closed, port } = await pair();
    const resolver = new FakeResolver({ "mixed.example": () => addresses });
    const verdict = await realProbe({ resolver }).check(
      targetOf(`tcp://mixed.example:${port}`),
      allowed,
    );
    expect(verdict).toEqual({ isOnline: false, error: "Loopback addresses are not checked" });
    expect([open.connectionCount, closed.connectionCount]).toEqual([0, 0]);
  });

  test.each(["127.1", "localhost", "here.example", ""])(
    "whose answer is %j, no address, is refused",
    async (answer) => {
      const sockets = new WatchedSockets();
      const resolver = new FakeResolver({ "odd.example": () => [answer] });
      const probe = realProbe({ sockets, resolver });
      for (const policy of [publicOnly, anyTarget]) {
        const verdict = await probe.check(targetOf("tcp://odd.example:80"), policy);
        expect(verdict).toEqual({ isOnline: false, error: "Only IP addresses are checked" });
      }
      expect(sockets.dialled).toEqual([]);
    },
  );
});

describe("a server that redirects", () => {
  test("leads nowhere", async () => {
    const location = `Location: http://127.0.0.1:${everywhere.port}/`;
    const answer = `HTTP/1.1 302 Found\r\n${location}\r\nContent-Length: 0\r\n\r\n`;
    const redirecting = await Listener.open("127.0.0.3", 0, answer);
    const target = targetOf(`ws://127.0.0.3:${redirecting.port}`);
    const verdict = await realProbe().check(target, anyTarget);
    expect(verdict).toMatchObject({ isOnline: true, handshake: "not_overlay" });
    expect([redirecting.connectionCount, everywhere.connectionCount]).toEqual([1, 0]);
  });
});
