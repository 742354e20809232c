import type { ServerAddress } from "../../probe/server-address.ts";
import { toHost } from "../lib/address.ts";
import type { Fleet } from "../nodes/fleet.ts";

/**
 * The connections that the node with this address has last reported; of several nodes the one that
 * reported last counts. 0 when no node has the address, or none has reported.
 */
export function reportedConnections(fleet: Fleet, server: ServerAddress): number {
  const { columns, texts } = fleet;
  // Nodes are stored with addresses in this spelling.
  const ip = toHost(server.host);
  if (ip === undefined) return 0;
  const connection = { type: server.transport.toUpperCase(), ip, port: server.port };
  let latestAt = 0;
  let count = 0;
  const isLater = (slot: number) => (columns.reportedAt[slot] as number) > latestAt;
  for (const slot of texts.slotsAt(connection, isLater)) {
    latestAt = columns.reportedAt[slot] as number;
    count = columns.connections[slot] as number;
  }
  return count;
}
