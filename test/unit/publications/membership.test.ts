import { beforeEach, expect, test } from "vitest";
import { Fleet } from "../../../src/server/nodes/fleet.ts";
import { Membership } from "../../../src/server/publications/membership.ts";
import { FLEET_EPOCH, nodeRecord } from "../../support/fleet-nodes.ts";

const url = (last: number) => `tcp://192.0.2.${last}:11010`;
let fleet: Fleet;
let listed: { id: number; weight: number }[];
let membership: Membership;

beforeEach(() => {
  fleet = new Fleet();
  for (const id of [1, 2]) {
    const connections = [
      { type: "TCP", ip: `192.0.2.${id}`, port: 11_010 },
      { type: "WSS", ip: "2001:db8::7", port: 443 },
    ];
    fleet.put(nodeRecord(id, { connections }), FLEET_EPOCH);
  }
  listed = [
    { id: 1, weight: 2 },
    { id: 2, weight: 1 },
  ];
  membership = new Membership({ renew: () => listed, areUsable: () => true }, fleet);
});

test("weights are parts of the largest, and stay while they would change by less than a quarter", () => {
  const nodes = membership.next({ wish: {}, nodes: [] });
  expect(nodes).toEqual([
    { id: 1, url: url(1), weight: 100 },
    { id: 2, url: url(2), weight: 50 },
  ]);
  listed = [
    { id: 1, weight: 2 },
    { id: 2, weight: 1.2 },
  ];
  expect(membership.next({ wish: {}, nodes })).toEqual(nodes);
  listed = [
    { id: 1, weight: 2 },
    { id: 2, weight: 1.4 },
  ];
  expect(membership.next({ wish: {}, nodes }).map(({ weight }) => weight)).toEqual([100, 70]);
});

test("no weight is 0, however small the node: clients fail when all are", () => {
  listed = [
    { id: 1, weight: 1000 },
    { id: 2, weight: 0.5 },
  ];
  expect(membership.next({ wish: {}, nodes: [] }).map(({ weight }) => weight)).toEqual([100, 1]);
});

test("a node is published with its first connection, or the first of the transport", () => {
  const wss = membership.next({ wish: { transport: "WSS" }, nodes: [] });
  expect(wss.map((node) => node.url)).toEqual(Array(2).fill("wss://[2001:db8::7]:443"));
});

test("a node that is gone is on no list", () => {
  fleet.remove(1);
  expect(membership.next({ wish: {}, nodes: [] }).map(({ id }) => id)).toEqual([2]);
  expect(membership.nameOf(1)).toBeNull();
});
