import fc from "fast-check";
import { expect, test } from "vitest";
import { reportedConnections } from "../../src/server/checks/connection-count.ts";
import type { Connection } from "../../src/shared/api/nodes.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { FLEET_EPOCH, nodeRecord, reportAt } from "../support/fleet-nodes.ts";

const hosts = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "node.example.org"];
const ports = [80, 443];
const types = ["TCP", "WS", "WSS", "UDP"];

const connection = fc.record({
  type: fc.constantFrom(...types),
  ip: fc.constantFrom(...hosts),
  port: fc.constantFrom(...ports),
});
const id = fc.integer({ min: 1, max: 10 });
const step = fc.oneof(
  fc.record({
    kind: fc.constant("put" as const),
    id,
    connections: fc.array(connection, { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant("report" as const), id, connections: fc.nat(1000) }),
  fc.record({ kind: fc.constant("remove" as const), id }),
);

interface Modelled {
  connections: Connection[];
  reportedAt: number;
  count: number;
}

/** What a plain look at all nodes says. */
function modelled(nodes: Iterable<Modelled>, wanted: Connection): number {
  let latest: Modelled | undefined;
  for (const node of nodes) {
    const isThere = node.connections.some(
      ({ type, ip, port }) => type === wanted.type && ip === wanted.ip && port === wanted.port,
    );
    if (isThere && node.reportedAt > (latest?.reportedAt ?? 0)) latest = node;
  }
  return latest?.count ?? 0;
}

test("the node with an address is found whatever was created, changed and deleted before", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const fleet = new Fleet();
      const model = new Map<number, Modelled>();
      let now = FLEET_EPOCH;
      for (const each of steps) {
        now += 1000;
        const known = model.get(each.id);
        if (each.kind === "put") {
          fleet.put(nodeRecord(each.id, { connections: each.connections }), now);
          model.set(each.id, { reportedAt: 0, count: 0, ...known, connections: each.connections });
        } else if (each.kind === "remove") {
          fleet.remove(each.id);
          model.delete(each.id);
        } else if (known) {
          const report = reportAt(now, { connections: each.connections });
          fleet.applyReport(fleet.slotOf(each.id) as number, report);
          Object.assign(known, { reportedAt: now, count: each.connections });
        }
      }
      for (const transport of ["tcp", "ws", "wss"] as const) {
        for (const host of hosts) {
          for (const port of ports) {
            const wanted = { type: transport.toUpperCase(), ip: host, port };
            expect(reportedConnections(fleet, { transport, host, port })).toBe(
              modelled(model.values(), wanted),
            );
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("as many nodes as like may name one address", () => {
  const fleet = new Fleet();
  const nodes = 50_000;
  const server = { transport: "tcp", host: "192.0.2.1", port: 11010 } as const;
  for (let n = 1; n <= nodes; n++) fleet.put(nodeRecord(n), FLEET_EPOCH);
  const last = fleet.slotOf(nodes / 2) as number;
  fleet.applyReport(last, reportAt(FLEET_EPOCH, { connections: 7 }));
  expect(reportedConnections(fleet, server)).toBe(7);
  for (let n = 1; n <= nodes; n++) if (n !== nodes / 2) fleet.remove(n);
  expect(reportedConnections(fleet, server)).toBe(7);
  fleet.remove(nodes / 2);
  expect(reportedConnections(fleet, server)).toBe(0);
});
