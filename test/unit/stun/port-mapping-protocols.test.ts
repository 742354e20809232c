import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NatPmp } from "../../../src/server/stun/nat-pmp.ts";
import { Pcp } from "../../../src/server/stun/pcp.ts";
import type { MappingWish } from "../../../src/server/stun/port-grant.ts";
import { Upnp } from "../../../src/server/stun/upnp.ts";
import { FakeGateway, FakeRouter } from "../../support/fake-router.ts";

const BRIEFLY_MS = 120;
const never = new AbortController().signal;
const wish: MappingWish = {
  transport: "udp",
  internalPort: 5001,
  externalPort: 5002,
  lifetimeSeconds: 600,
};
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

/** RFC 6887 §7.2 and §11.1: the request comes back with the answer's bits. */
function granting(request: Buffer, change: (answer: Buffer) => void = () => {}): Buffer[] {
  const answer = Buffer.from(request);
  answer.writeUInt8(0x81, 1);
  answer.writeUInt8(0, 3);
  answer.writeUInt32BE(1, 8);
  answer.fill(0, 12, 24);
  answer.writeUInt16BE(6000, 42);
  hex("00000000000000000000ffffcb00714d").copy(answer, 44);
  change(answer);
  return [answer];
}

describe("by NAT-PMP", () => {
  let router: FakeRouter;
  beforeEach(async () => {
    router = await FakeRouter.start();
  });
  afterEach(() => router.stop());
  const pmp = (withinMs = 3_000) => new NatPmp(router.endpoint, withinMs);

  /** RFC 6886 §3.2 and §3.3, written by hand. */
  const addressAnswer = hex("00 80 0000 00000001 cb00714d");
  const mapAnswer = (operation: string) => hex(`00 ${operation} 0000 00000001 1389 1770 00000258`);

  test("the outer address is asked for", async () => {
    router.answer = () => [addressAnswer];
    expect(await pmp().externalIp(never)).toBe("203.0.113.77");
    expect(router.requests[0]?.toString("hex")).toBe("0000");
  });

  test.each([
    ["udp", "01", "81"],
    ["tcp", "02", "82"],
  ] as const)("a port is mapped: %s", async (transport, asked, answered) => {
    router.answer = (request) => [request.length === 2 ? addressAnswer : mapAnswer(answered)];
    const grant = await pmp().map({ ...wish, transport }, never);
    expect(grant).toEqual({ externalPort: 6000, externalIp: "203.0.113.77", lifetimeSeconds: 600 });
    expect(router.requests[0]).toEqual(hex(`00 ${asked} 0000 1389 138a 00000258`));
  });

  test("a mapping is taken away without naming a port outside", async () => {
    router.answer = () => [hex("00 81 0000 00000001 1389 0000 00000000")];
    expect((await pmp().map({ ...wish, lifetimeSeconds: 0 }, never))?.lifetimeSeconds).toBe(0);
    expect(router.requests[0]).toEqual(hex("00 01 0000 1389 0000 00000000"));
  });

  test.each([
    ["refuses", [hex("00 81 0002 00000001 1389 0000 00000000")]],
    ["is silent", []],
    ["answers something else", [hex("00 82 0000 00000001 1389 1770 00000258")]],
    ["answers for another port", [hex("00 81 0000 00000001 138a 1770 00000258")]],
    ["answers half a sentence", [hex("00 81 0000 00000001 1389"), hex("00"), Buffer.alloc(0)]],
  ])("nothing is granted when the router %s", async (_what, packets) => {
    router.answer = () => packets;
    expect(await pmp(BRIEFLY_MS).map(wish, never)).toBeUndefined();
  });

  test("what is lost is asked again", async () => {
    router.answer = () => (router.requests.length < 2 ? [] : [addressAnswer]);
    expect(await pmp().externalIp(never)).toBe("203.0.113.77");
    expect(router.requests).toHaveLength(2);
  });

  test("a router that has no address yet has none", async () => {
    router.answer = () => [hex("00 80 0000 00000001 00000000")];
    expect(await pmp().externalIp(never)).toBeNull();
  });
});

describe("by PCP", () => {
  let router: FakeRouter;
  beforeEach(async () => {
    router = await FakeRouter.start();
  });
  afterEach(() => router.stop());
  const pcp = (withinMs = 3_000) => new Pcp(router.endpoint, "192.168.1.10", withinMs);

  test("a port is mapped, with the address outside", async () => {
    router.answer = (request) => granting(request);
    const grant = await pcp().map({ ...wish, transport: "tcp" }, never);
    expect(grant).toEqual({ externalPort: 6000, externalIp: "203.0.113.77", lifetimeSeconds: 600 });
    const [request = Buffer.alloc(0)] = router.requests;
    expect(request).toHaveLength(60);
    expect(request.subarray(0, 24)).toEqual(
      hex("02 01 0000 00000258 00000000000000000000ffffc0a8010a"),
    );
    expect(request.subarray(36)).toEqual(
      hex("06 000000 1389 138a 00000000000000000000ffff00000000"),
    );
  });

  test("a renewal shows the same nonce, so that it is known as ours", async () => {
    router.answer = (request) => granting(request);
    const own = pcp();
    await own.map(wish, never);
    await own.map({ ...wish, lifetimeSeconds: 0 }, never);
    await pcp().map(wish, never);
    const nonces = router.requests.map((each) => each.toString("hex", 24, 36));
    expect(nonces[1]).toBe(nonces[0]);
    expect(nonces[2]).not.toBe(nonces[0]);
  });

  test.each<[string, (request: Buffer) => Buffer[]]>([
    ["knows NAT-PMP alone", () => [hex("00 81 0001 00000001")]],
    ["refuses", (request) => granting(request, (answer) => answer.writeUInt8(2, 3))],
    ["answers somebody else", (request) => granting(request, (answer) => answer.fill(7, 24, 36))],
    [
      "answers for another port",
      (request) => granting(request, (answer) => answer.writeUInt16BE(1, 40)),
    ],
    ["is cut short", (request) => granting(request).map((answer) => answer.subarray(0, 50))],
    ["answers nothing", () => [Buffer.alloc(0), hex("02")]],
  ])("nothing is granted when the router %s", async (_what, answer) => {
    router.answer = answer;
    expect(await pcp(BRIEFLY_MS).map(wish, never)).toBeUndefined();
  });
});

describe("by UPnP", () => {
  let gateway: FakeGateway;
  beforeEach(async () => {
    gateway = await FakeGateway.start();
    gateway.answer = (action) =>
      action === "GetExternalIPAddress"
        ? "<u:X><NewExternalIPAddress>203.0.113.77</NewExternalIPAddress></u:X>"
        : "<u:X/>";
  });
  afterEach(() => gateway.stop());
  const upnp = () =>
    new Upnp({
      router: "127.0.0.1",
      localAddress: "192.168.1.10",
      description: gateway.description,
    });

  test.each(["WANIPConnection:1", "WANIPConnection:2", "WANPPPConnection:1"])(
    "a port is mapped at the service %s",
    async (service) => {
      gateway.service = `urn:schemas-upnp-org:service:${service}`;
      const grant = await upnp().map(wish, never);
      expect(grant).toEqual({
        externalPort: 5002,
        externalIp: "203.0.113.77",
        lifetimeSeconds: 600,
      });
      expect(gateway.actions[0]).toEqual({
        action: "AddPortMapping",
        fields: {
          NewRemoteHost: "",
          NewExternalPort: "5002",
          NewProtocol: "UDP",
          NewInternalPort: "5001",
          NewInternalClient: "192.168.1.10",
          NewEnabled: "1",
          NewPortMappingDescription: "Waypost",
          NewLeaseDuration: "600",
        },
      });
    },
  );

  test("a router that forgets nothing by itself is asked without an end, and again in an hour", async () => {
    const { answer } = gateway;
    gateway.answer = (action, fields) =>
      action === "AddPortMapping" && fields["NewLeaseDuration"] !== "0"
        ? 725
        : answer(action, fields);
    expect((await upnp().map(wish, never))?.lifetimeSeconds).toBe(3600);
  });

  test("a mapping is taken away", async () => {
    const grant = await upnp().map({ ...wish, lifetimeSeconds: 0 }, never);
    expect(grant?.lifetimeSeconds).toBe(0);
    expect(gateway.actions).toEqual([
      {
        action: "DeletePortMapping",
        fields: { NewRemoteHost: "", NewExternalPort: "5002", NewProtocol: "UDP" },
      },
    ]);
  });

  test.each<[string, () => void]>([
    ["gives the port to somebody else", () => (gateway.answer = () => 718)],
    [
      "forwards no ports",
      () => (gateway.service = "urn:schemas-upnp-org:service:WANEthernetLink:1"),
    ],
    ["points to another host", () => (gateway.controlUrl = "http://192.0.2.1/control")],
    ["describes itself without end", () => (gateway.service = "x".repeat(300_000))],
  ])("nothing is granted when the router %s", async (_what, prepare) => {
    prepare();
    expect(await upnp().map(wish, never)).toBeUndefined();
  });
});
