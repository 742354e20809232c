import { describe, expect, it } from "vitest";
import { DialError } from "../../../src/probe/sockets.ts";
import { parseHostPort, type HostPort } from "../../../src/server/lib/host-port.ts";
import type { DatagramPort } from "../../../src/server/stun/diagnosis-ports.ts";
import { Diagnosis, type DiagnosisParts } from "../../../src/server/stun/diagnosis.ts";
import type { StunDiagnosis } from "../../../src/shared/api/stun-diagnosis.ts";
import { NatWorld, type WorldServer, type WorldSettings } from "../../support/nat-world.ts";

const able = (address: string, otherAddress: string): WorldServer => ({
  at: { address, port: 3478 },
  other: { address: otherAddress, port: 3479 },
});
const plain = (address: string): WorldServer => ({ at: { address, port: 3478 } });

const ABLE = [able("198.51.100.1", "198.51.100.2"), able("192.0.2.1", "192.0.2.2")];
const PLAIN = [plain("198.51.100.1"), plain("192.0.2.1")];
const FULL_CONE = {
  mapping: "endpoint_independent",
  filtering: "endpoint_independent",
  hairpin: true,
} as const;
const SYMMETRIC = {
  mapping: "address_and_port_dependent",
  filtering: "address_and_port_dependent",
  hairpin: false,
} as const;

const never = new AbortController().signal;

function toHostPort(text: string): HostPort {
  const parsed = parseHostPort(text);
  if (!parsed) throw new Error(`${text} is no host:port`);
  return parsed;
}

async function diagnose(
  settings: WorldSettings,
  transport: "udp" | "tcp" = "udp",
  names = settings.servers.map(({ at }) => `${at.address}:${at.port}`),
  parts: Partial<DiagnosisParts> = {},
): Promise<StunDiagnosis> {
  const world = new NatWorld(settings);
  const diagnosis = new Diagnosis({
    ports: world,
    resolver: { resolve: async () => [] },
    surroundingsOf: async () => ({
      exit: { interfaceName: "eth0", address: world.ownAddress, isTunnel: false },
      gateway: "192.168.1.1",
      isBridged: false,
    }),
    routerIp: async () => null,
    ...parts,
  });
  const servers = names.map(toHostPort);
  const found = await diagnosis.run({ transport, servers, localAddress: null }, never);
  expect(world.openPorts.size).toBe(0);
  return found;
}

const dependences = [
  "endpoint_independent",
  "address_dependent",
  "address_and_port_dependent",
] as const;

describe("mapping and filtering over UDP", () => {
  for (const mapping of dependences) {
    for (const filtering of dependences) {
      it(`are told apart: ${mapping} and ${filtering}`, async () => {
        const nat = { mapping, filtering, hairpin: true };
        const found = await diagnose({ nat, servers: ABLE });
        expect([found.mapping, found.filtering]).toEqual([mapping, filtering]);
      });
    }
  }

  it("are found with one able server alone", async () => {
    const found = await diagnose({ nat: SYMMETRIC, servers: ABLE.slice(0, 1) });
    expect(found).toMatchObject({
      mapping: "address_and_port_dependent",
      filtering: SYMMETRIC.filtering,
    });
  });

  it("are found when both addresses of one server are in the list", async () => {
    const nat = { ...SYMMETRIC, mapping: "address_dependent" } as const;
    const [server] = ABLE;
    const found = await diagnose({ nat, servers: ABLE.slice(0, 1) }, "udp", [
      "198.51.100.1:3478",
      "198.51.100.2:3479",
    ]);
    expect(server?.other?.address).toBe("198.51.100.2");
    expect(found).toMatchObject({ mapping: "address_dependent", filtering: SYMMETRIC.filtering });
  });

  it("are none where this host has the public address itself", async () => {
    const found = await diagnose({ nat: null, servers: ABLE });
    expect(found).toMatchObject({ mapping: "none", filtering: "none", hairpin: null });
    expect(found.public_ip).toBe("203.0.113.77");
  });
});

describe("servers without a second address", () => {
  it("agree on a mapping that depends on nothing; who is let in stays unknown", async () => {
    const found = await diagnose({ nat: FULL_CONE, servers: PLAIN });
    expect(found).toMatchObject({ mapping: "endpoint_independent", filtering: "unknown" });
  });

  it("show a mapping that depends on the address at least, and the advice says what is not known", async () => {
    const found = await diagnose({ nat: SYMMETRIC, servers: PLAIN });
    expect(found).toMatchObject({ mapping: "address_dependent", filtering: "unknown" });
    expect(found.advice.join(" ")).toContain("could not be seen");
  });

  it("show that it depends on the port, too, when one address is asked at two ports", async () => {
    const servers = [plain("198.51.100.1"), { at: { address: "198.51.100.1", port: 19_302 } }];
    const found = await diagnose({ nat: SYMMETRIC, servers: [...servers, plain("192.0.2.1")] });
    expect(found.mapping).toBe("address_and_port_dependent");
  });

  it("are too few when there is one", async () => {
    const found = await diagnose({ nat: FULL_CONE, servers: PLAIN.slice(0, 1) });
    expect(found.mapping).toBe("unknown");
    expect(found.advice.join(" ")).toContain("Name a second server");
  });

  it("do not win against one that lies, which is named", async () => {
    const liar = { ...plain("192.0.2.9"), lie: { address: "203.0.113.1", port: 9 } };
    const found = await diagnose({ nat: FULL_CONE, servers: [liar, ...PLAIN] });
    expect(found.mapping).toBe("endpoint_independent");
    expect(found.public_ip).toBe("203.0.113.77");
    expect(found.advice.join(" ")).toContain("192.0.2.9:3478 says 203.0.113.1:9");
  });
});

describe("a server that promises more than it does", () => {
  it("leaves the filter unknown when its other address is dead", async () => {
    const [server] = ABLE;
    const servers = [{ ...(server ?? plain("")), otherIsDead: true }, plain("192.0.2.1")];
    const found = await diagnose({ nat: SYMMETRIC, servers });
    expect(found.filtering).toBe("unknown");
  });

  it("leaves the filter unknown when it answers from where it always does", async () => {
    const servers = ABLE.map((server) => ({ ...server, ignoresChange: true }));
    const found = await diagnose({ nat: SYMMETRIC, servers });
    expect(found).toMatchObject({ mapping: "address_and_port_dependent", filtering: "unknown" });
  });

  it("is made up for by one that keeps its promise", async () => {
    const [first, second] = ABLE;
    const servers = [{ ...(first ?? plain("")), ignoresChange: true }, second ?? plain("")];
    expect((await diagnose({ nat: FULL_CONE, servers })).filtering).toBe("endpoint_independent");
  });
});

describe("the way from inside to our own public address", () => {
  for (const filtering of dependences) {
    it(`is found whatever the filter: ${filtering}`, async () => {
      const nat = { mapping: "endpoint_independent", filtering, hairpin: true } as const;
      expect((await diagnose({ nat, servers: ABLE })).hairpin).toBe(true);
    });
  }

  it("is missing when nothing comes back although both filters are open", async () => {
    const nat = { ...FULL_CONE, hairpin: false };
    expect((await diagnose({ nat, servers: ABLE })).hairpin).toBe(false);
  });

  it("stays unknown where each destination has a mapping of its own", async () => {
    expect((await diagnose({ nat: SYMMETRIC, servers: ABLE })).hairpin).toBeNull();
  });

  it("is found over TCP, unknown when nobody is reached, missing when the router answers itself", async () => {
    const outcome = async (settings: Partial<WorldSettings>) =>
      (await diagnose({ nat: FULL_CONE, servers: ABLE, ...settings }, "tcp")).hairpin;
    expect(await outcome({})).toBe(true);
    expect(await outcome({ nat: { ...FULL_CONE, hairpin: false } })).toBeNull();
    expect(await outcome({ routerListens: true })).toBe(false);
  });
});

describe("over TCP", () => {
  for (const mapping of dependences) {
    it(`a mapping is told as what it is: ${mapping}`, async () => {
      const nat = { mapping, filtering: mapping, hairpin: false };
      const found = await diagnose({ nat, servers: ABLE }, "tcp");
      expect(found).toMatchObject({ transport: "tcp", mapping, filtering: "unknown" });
    });
  }

  it("a mapping is told by independent servers, too", async () => {
    const found = await diagnose({ nat: FULL_CONE, servers: PLAIN }, "tcp");
    expect(found.mapping).toBe("endpoint_independent");
  });

  it("there is no NAT where this host has the public address itself", async () => {
    const found = await diagnose({ nat: null, servers: PLAIN }, "tcp");
    expect(found).toMatchObject({ mapping: "none", hairpin: null });
  });
});

describe("each server", () => {
  it("has its own line, in the order of the list, with what it saw or why not", async () => {
    const dead = { ...plain("192.0.2.5"), isDead: true };
    const refusing = { ...plain("192.0.2.6"), refuses: true };
    const found = await diagnose({ nat: FULL_CONE, servers: [dead, refusing, ...PLAIN] });
    expect(found.servers).toEqual([
      {
        server: "192.0.2.5:3478",
        rtt_ms: null,
        public_ip: null,
        public_port: null,
        error: "192.0.2.5:3478 did not answer within 3 s",
      },
      expect.objectContaining({ server: "192.0.2.6:3478", error: expect.stringContaining("420") }),
      {
        server: "198.51.100.1:3478",
        rtt_ms: 20,
        public_ip: "203.0.113.77",
        public_port: 50_000,
        error: null,
      },
      expect.objectContaining({ server: "192.0.2.1:3478", public_port: 50_000, error: null }),
    ]);
  });

  it("is asked once when two names lead to it, and answers for both", async () => {
    const resolver = { resolve: async () => ["2001:db8::1", "198.51.100.1"] };
    const names = ["a.example:3478", "b.example:3478"];
    const found = await diagnose({ nat: FULL_CONE, servers: PLAIN }, "udp", names, { resolver });
    expect(found.servers.map(({ server, public_port }) => [server, public_port])).toEqual([
      ["a.example:3478", 50_000],
      ["b.example:3478", 50_000],
    ]);
    expect(found.mapping).toBe("unknown");
  });

  it("says so when its name leads nowhere, or to another family only", async () => {
    const resolver = {
      resolve: async (name: string) => {
        if (name === "gone.example") throw new DialError("name_unresolved", "no");
        return ["2001:db8::1"];
      },
    };
    const names = ["gone.example:1", "six.example:1"];
    const found = await diagnose({ nat: FULL_CONE, servers: [] }, "udp", names, { resolver });
    expect(found.servers.map(({ error }) => error)).toEqual([
      "gone.example could not be resolved",
      "six.example has no IPv4 address",
    ]);
    expect(found).toMatchObject({ mapping: "unknown", filtering: "unknown", public_ip: null });
    expect(found.advice.join(" ")).toContain("Check the name servers");
  });
});

describe("a diagnosis", () => {
  it("says that UDP is blocked when TCP answers", async () => {
    const found = await diagnose({ nat: FULL_CONE, servers: ABLE, blocked: ["udp"] });
    expect(found).toMatchObject({ mapping: "unknown", filtering: "unknown", public_ip: null });
    expect(found.advice.join(" ")).toContain("something on the way blocks UDP");
  });

  it("says that UDP and TCP leave by different ways", async () => {
    const found = await diagnose({
      nat: FULL_CONE,
      servers: PLAIN,
      publicAddressFor: (transport) => (transport === "tcp" ? "198.51.100.200" : undefined),
    });
    expect(found.advice.join(" ")).toContain(
      "UDP leaves with the address 203.0.113.77 and TCP with 198.51.100.200",
    );
  });

  it("takes the router's word for double NAT and does not mix it into the result", async () => {
    const asked: string[] = [];
    const found = await diagnose({ nat: FULL_CONE, servers: ABLE }, "udp", undefined, {
      routerIp: async (gateway) => {
        asked.push(gateway);
        return "100.64.3.4";
      },
    });
    expect(asked).toEqual(["192.168.1.1"]);
    expect(found.public_ip).toBe("203.0.113.77");
    expect(found.advice.join(" ")).toContain("Your provider has a NAT of its own: 100.64.3.4");
  });

  it("ends with the caller's reason and leaves no port open", async () => {
    const world = new NatWorld({ nat: FULL_CONE, servers: ABLE });
    const leaving = new AbortController();
    const open = world.datagram.bind(world);
    world.datagram = (): DatagramPort => {
      const port = open();
      port.ask = (_question, signal) => {
        leaving.abort(new Error("the caller left"));
        return Promise.reject(signal.reason as Error);
      };
      return port;
    };
    const diagnosis = new Diagnosis({
      ports: world,
      resolver: { resolve: async () => [] },
      surroundingsOf: async () => ({ exit: null, gateway: null, isBridged: false }),
      routerIp: async () => null,
    });
    const servers = [{ host: "198.51.100.1", port: 3478 }];
    for (const transport of ["udp", "tcp"] as const) {
      const run = diagnosis.run({ transport, servers, localAddress: null }, leaving.signal);
      await expect(run).rejects.toThrow("the caller left");
    }
    expect(world.openPorts.size).toBe(0);
  });
});
