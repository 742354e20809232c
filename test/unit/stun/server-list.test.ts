import { expect, test } from "vitest";
import { ServerList } from "../../../src/server/stun/server-list.ts";

const nobody = () => false;

function listOf(names: Record<string, string[]>): ServerList {
  const hosts = Object.keys(names).map((host) => ({ host, port: 3478 }));
  return new ServerList(hosts, { resolve: async (host) => names[host] ?? [] });
}

test("each name is held to one address of the family of the hole, each address once", async () => {
  const names = {
    a: ["2001:db8::1", "192.0.2.1", "192.0.2.2"],
    b: ["192.0.2.1"],
    c: ["2001:DB8::3"],
    d: [],
  };
  const ipv4 = listOf(names);
  expect(await ipv4.resolve(false)).toBe(true);
  expect(ipv4.servers).toEqual(["192.0.2.1:3478"]);
  expect(ipv4.get("192.0.2.1:3478")).toEqual({ address: "192.0.2.1", port: 3478 });
  const ipv6 = listOf(names);
  await ipv6.resolve(true);
  expect(ipv6.servers).toEqual(["[2001:db8::1]:3478", "[2001:db8::3]:3478"]);
});

test("a name that leads elsewhere later keeps its address, until it is silent", async () => {
  const names = { a: ["192.0.2.1", "192.0.2.2"] };
  const list = listOf(names);
  await list.resolve(false);
  await list.resolve(false);
  expect(list.servers).toEqual(["192.0.2.1:3478"]);
  list.failed("192.0.2.1:3478", 0);
  await list.resolve(false);
  expect(list.servers).toEqual(["192.0.2.2:3478"]);
  names.a = [];
  expect(await list.resolve(false)).toBe(true);
  expect(list.servers).toEqual(["192.0.2.2:3478"]);
});

test("ports and addresses of one name belong to the same people", async () => {
  const hosts = ["a", "a", "192.0.2.2", "b"].map((host, at) => ({ host, port: 3478 + at }));
  const names: Record<string, string[]> = { a: ["192.0.2.1", "192.0.2.2"], b: ["192.0.2.3"] };
  const list = new ServerList(hosts, { resolve: async (host) => names[host] ?? [host] });
  await list.resolve(false);
  const { parties, servers } = list;
  expect(servers).toHaveLength(4);
  const [first, second, literal, other] = servers.map((each) => parties.get(each));
  expect([second, literal]).toEqual([first, first]);
  expect(other).not.toBe(first);
});

test("the one that answered last is asked first, the doubted later, the silent last", async () => {
  const list = listOf({ a: ["192.0.2.1"], b: ["192.0.2.2"], c: ["192.0.2.3"] });
  await list.resolve(false);
  const [a = "", b = "", c = ""] = list.servers;
  expect(list.order(0, nobody)).toEqual([a, b, c]);
  list.prefer(c);
  expect(list.order(0, nobody)).toEqual([c, a, b]);
  expect(list.order(0, (each) => each === c)).toEqual([a, b, c]);
  list.failed(a, 0);
  expect(list.order(0, (each) => each === c)).toEqual([b, c, a]);
});

test("a silent one rests for longer each time, until it answers", async () => {
  const list = listOf({ a: ["192.0.2.1"], b: ["192.0.2.2"] });
  await list.resolve(false);
  const [a = "", b = ""] = list.servers;
  list.failed(a, 0);
  expect(list.order(59_999, nobody)).toEqual([b, a]);
  expect(list.order(60_000, nobody)).toEqual([a, b]);
  list.failed(a, 60_000);
  expect(list.order(179_999, nobody)).toEqual([b, a]);
  expect(list.order(180_000, nobody)).toEqual([a, b]);
  for (let time = 0; time < 20; time++) list.failed(a, 0);
  expect(list.order(1_800_000, nobody)).toEqual([a, b]);
  list.failed(a, 1_800_000);
  list.answered(a);
  expect(list.order(1_800_001, nobody)).toEqual([a, b]);
});
