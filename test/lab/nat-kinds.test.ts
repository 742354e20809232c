import { beforeAll, describe, expect, it } from "vitest";
import { INTERNET } from "../../lab/address-plan.ts";
import type { Endpoint, Transport } from "../../lab/endpoint.ts";
import type { NatKind } from "../../lab/nat-behaviour.ts";
import { Peer } from "../../lab/peer.ts";
import { describeInLaboratory } from "../support/laboratory.ts";

const CONTACTED: Endpoint = { address: INTERNET.otherStranger, port: 7_000 };

/** Who reaches an open port at the mapping that a STUN server saw, by where they send from. */
const SENDERS = {
  stranger: {},
  "contacted address": { address: CONTACTED.address },
  "contacted endpoint": CONTACTED,
} as const;
type Sender = keyof typeof SENDERS;

const EVERYBODY: Sender[] = ["stranger", "contacted address", "contacted endpoint"];
const INDEPENDENT = "Endpoint Independent";
const BY_ADDRESS = "Address Dependent";
const BY_ENDPOINT = "Address and Port Dependent";

/** `mapping` and `filtering` as coturn's own discovery calls them. */
const KINDS: [NatKind, { lets: Sender[]; mapping: string; filtering: string }][] = [
  ["full_cone", { lets: EVERYBODY, mapping: INDEPENDENT, filtering: INDEPENDENT }],
  ["address_restricted", { lets: EVERYBODY.slice(1), mapping: INDEPENDENT, filtering: BY_ADDRESS }],
  ["port_restricted", { lets: EVERYBODY.slice(2), mapping: INDEPENDENT, filtering: BY_ENDPOINT }],
  ["symmetric", { lets: [], mapping: BY_ENDPOINT, filtering: BY_ENDPOINT }],
];

describeInLaboratory("The NAT", {}, (lab) => {
  let home: Peer;

  beforeAll(async () => {
    home = await Peer.start(lab().home);
  });

  /** @returns how a port that was just opened is seen by every server */
  async function openHole(transport: Transport) {
    const port = await home.open(transport);
    const seen: (Endpoint | null)[] = [];
    for (const endpoint of lab().stunServers.flatMap((server) => server.endpoints)) {
      seen.push(await home.query(transport, port, endpoint, 3_000));
    }
    return { port, mapped: seen[0] as Endpoint, seen };
  }

  /** Whether words from there reach the hole, and an answer comes back. */
  async function reaches(
    transport: Transport,
    mapped: Endpoint,
    sender: Sender,
    isExpected: boolean,
  ): Promise<boolean> {
    const options = { from: SENDERS[sender], timeoutMs: isExpected ? 3_000 : 250 };
    const { text } = await lab().stranger.send(transport, mapped, "hello", options);
    return text?.startsWith("hello from ") ?? false;
  }

  function discover(what: "-m" | "-f"): Promise<string> {
    const [server] = lab().stunServers;
    return lab().home.run("turnutils_natdiscovery", [what, server.endpoint.address]);
  }

  describe.each(KINDS)("that is %s", (kind, expected) => {
    beforeAll(async () => {
      await lab().nat.become(kind);
    });

    it.each(["udp", "tcp"] as const)("maps %s as it is called", async (transport) => {
      const { port, mapped, seen } = await openHole(transport);
      expect(seen.map((each) => each?.address)).toEqual(seen.map(() => lab().nat.publicAddress));
      expect(mapped.port).not.toBe(port);
      const count = new Set(seen.map((each) => each?.port)).size;
      expect(count).toBe(expected.mapping === INDEPENDENT ? 1 : seen.length);
    });

    it.each([
      ["udp", EVERYBODY],
      // The refused call of the contacted endpoint stands in the way of its own call back.
      ["tcp", EVERYBODY.slice(0, 2)],
    ] as const)("filters %s as it is called", async (transport, senders) => {
      const { port, mapped } = await openHole(transport);
      // Nobody answers there; what counts is that it was sent to.
      await home.query(transport, port, CONTACTED, 50);
      const passed: Sender[] = [];
      for (const sender of senders) {
        const isExpected = expected.lets.includes(sender);
        if (await reaches(transport, mapped, sender, isExpected)) passed.push(sender);
      }
      expect(passed).toEqual(senders.filter((sender) => expected.lets.includes(sender)));
    });

    it("has the mapping that coturn's client finds", async () => {
      expect(await discover("-m")).toContain(`NAT with ${expected.mapping} Mapping!`);
    });
  });

  // Its client waits for three seconds for what does not come.
  it.each(KINDS.slice(0, 2))(
    "that is %s filters as coturn's client finds",
    async (kind, expected) => {
      await lab().nat.become(kind);
      expect(await discover("-f")).toContain(`NAT with ${expected.filtering} Filtering!`);
    },
  );

  it("depends on the address alone when it is told to", async () => {
    await lab().nat.become({ mapping: "address_dependent" });
    for (const transport of ["udp", "tcp"] as const) {
      const { seen } = await openHole(transport);
      const [one, other, onePort, otherPort] = seen;
      expect(one).toEqual(onePort);
      expect(other).toEqual(otherPort);
      expect(one).not.toEqual(other);
    }
  });
});
