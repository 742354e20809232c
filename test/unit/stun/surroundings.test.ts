import { describe, expect, test } from "vitest";
import { networkInterfaces } from "node:os";
import { surroundingsOf, type ReadText } from "../../../src/server/stun/surroundings.ts";

/** Traffic to it leaves by the loopback interface, whatever machine this is. */
const SERVER = { address: "127.0.0.1", port: 3478 };
const LOOPBACK = Object.entries(networkInterfaces()).find(([, found]) =>
  found?.some(({ address }) => address === SERVER.address),
)?.[0];

const HEADER = "Iface\tDestination\tGateway \tFlags";
const routes = (...lines: string[]) => [HEADER, ...lines].join("\n");
const reading =
  (files: Record<string, string>): ReadText =>
  async (path) =>
    files[path];
const look = (files: Record<string, string>) => surroundingsOf(SERVER, null, reading(files));
const gateway = async (...lines: string[]) =>
  (await look({ "/proc/net/route": routes(...lines) })).gateway;
const link = (file: string) => `/sys/class/net/${LOOPBACK}/${file}`;

describe("the surroundings of a host", () => {
  test("are an interface, its address and nothing special", async () => {
    expect(await look({})).toEqual({
      exit: { interfaceName: LOOPBACK, address: "127.0.0.1", isTunnel: false },
      gateway: null,
      isBridged: false,
    });
  });

  test("are unknown where no way leads out", async () => {
    const nowhere = await surroundingsOf(SERVER, "192.0.2.1", reading({}));
    expect(nowhere.exit).toBeNull();
  });

  test("tell the router of the default route, of the interface in use before others", async () => {
    const other = "other0\t00000000\t0100A8C0\t0003";
    const own = `${LOOPBACK}\t00000000\t0101A8C0\t0003`;
    const net = `${LOOPBACK}\t0001A8C0\t00000000\t0001`;
    expect(await gateway(other, net, own)).toBe("192.168.1.1");
    expect(await gateway(other, net)).toBe("192.168.0.1");
    expect(await gateway(net)).toBeNull();
  });

  test.each([
    ["a TUN device", { [link("tun_flags")]: "0x1001\n" }],
    ["WireGuard", { [link("uevent")]: "DEVTYPE=wireguard\nINTERFACE=wg0\n" }],
  ])("know a tunnel: %s", async (_what, files) => {
    expect((await look(files)).exit?.isTunnel).toBe(true);
  });

  const paired = { [link("ifindex")]: "4\n", [link("iflink")]: "9\n" };
  const unpaired = { [link("ifindex")]: "4\n", [link("iflink")]: "4\n" };
  const marks = {
    Docker: { "/.dockerenv": "" },
    Podman: { "/run/.containerenv": "" },
    "a control group": { "/proc/1/cgroup": "0::/kubepods/pod1\n" },
  };

  test.each(Object.entries(marks))("know a container's own network: %s", async (_what, files) => {
    expect((await look({ ...files, ...paired })).isBridged).toBe(true);
  });

  test("know that a container may have its host's network", async () => {
    expect((await look({ "/.dockerenv": "", ...unpaired })).isBridged).toBe(false);
  });

  test("know that one end of a pair alone makes no container", async () => {
    expect((await look(paired)).isBridged).toBe(false);
  });

  test("know a container without privileges by its TUN device, which is no VPN then", async () => {
    const found = await look({ "/run/.containerenv": "", [link("tun_flags")]: "0x1001" });
    expect([found.isBridged, found.exit?.isTunnel]).toEqual([true, false]);
  });

  test("know the default bridge by its router", async () => {
    const table = routes(`${LOOPBACK}\t00000000\t010011AC\t0003`);
    expect((await look({ "/proc/net/route": table })).isBridged).toBe(true);
  });
});
