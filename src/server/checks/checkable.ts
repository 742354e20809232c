import {
  checkedTransports,
  formatServerAddress,
  type ServerAddress,
} from "../../probe/server-address.ts";
import type { Connection } from "../../shared/api/nodes.ts";

/** Where a connection of a node is checked; undefined when its transport cannot be. */
export function toServerAddress({ type, ip, port }: Connection): ServerAddress | undefined {
  const transport = checkedTransports.find((each) => each === type.toLowerCase());
  return transport && { transport, host: ip, port };
}

/** The connections that can be checked, each once, under the names they are stored by. */
export function checkableOf(connections: readonly Connection[]): Map<string, ServerAddress> {
  const checkable = new Map<string, ServerAddress>();
  for (const connection of connections) {
    const server = toServerAddress(connection);
    if (server) checkable.set(formatServerAddress(server), server);
  }
  return checkable;
}
