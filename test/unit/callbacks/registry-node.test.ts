import { expect, test } from "vitest";
import type { ActionInput } from "../../../src/server/callbacks/actions/action.ts";
import { registryNode } from "../../../src/server/callbacks/actions/registry-node.ts";
import { toTemplateValues } from "../../../src/server/callbacks/template-values.ts";
import type { Connection } from "../../../src/shared/api/nodes.ts";

const MOST = 3;
const web: Connection = { type: "WS", ip: "192.0.2.9", port: 80 };
const tcp = (port: number): Connection => ({ type: "TCP", ip: "203.0.113.7", port });

/** What the connections of a node become when a rule over TCP moves to port 7000. */
async function moved(before: Connection[], previousPort: number | null): Promise<unknown> {
  const action = registryNode(
    { connectionsOf: () => before, changeConnections: () => Promise.reject(new Error("no write")) },
    MOST,
  );
  const mapping = { publicIp: "203.0.113.7", publicPort: 7_000 };
  const previous =
    previousPort === null ? null : { publicIp: "203.0.113.7", publicPort: previousPort };
  const rule = { id: 1, name: "nas", transport: "tcp" as const };
  const values = toTemplateValues({ rule, mapping, previous, event: "manual", runId: 1, at: 0 });
  const input = { config: { node_id: 1 }, mapping, previous, values };
  try {
    return (await action.dryRun(input as ActionInput<{ node_id: number }>)).after;
  } catch (error) {
    return (error as { errorClass?: string }).errorClass;
  }
}

test.each<[what: string, before: Connection[], previous: number | null, after: unknown]>([
  ["the only one of the transport, whatever it says", [web, tcp(1)], null, [web, tcp(7_000)]],
  ["the one that says what was before", [tcp(1), tcp(2)], 2, [tcp(1), tcp(7_000)]],
  ["none of several that say something else", [tcp(1), tcp(2)], 3, "several_connections"],
  ["none of several when nothing was before", [tcp(1), tcp(2)], null, "several_connections"],
  ["none when one says it already", [tcp(1), tcp(7_000)], 1, [tcp(1), tcp(7_000)]],
  ["a new one where there is none", [web], 1, [web, tcp(7_000)]],
  ["nothing where there is no room", [web, web, web], 1, "no_room"],
])("a node of the registry is changed in %s", async (_what, before, previous, after) => {
  expect(await moved(before, previous)).toEqual(after);
});
