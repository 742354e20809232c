/** A STUN server as it is configured and as it is asked. */
export interface PinnedServer {
  /** `address:port`. */
  name: string;
  address: string;
  /** As it is configured. */
  host: string;
  /** All that the host's name leads to. */
  addresses: readonly string[];
}

/**
 * Who speaks for the same people, and so with one voice: the ports of one address, and the addresses
 * of one name. Where nothing but one name is configured, its addresses are all the witnesses there
 * are, and each speaks for itself.
 * @returns a party for each server
 */
export function partiesOf(servers: readonly PinnedServer[]): Map<string, string> {
  const byName = joined(servers, (each) => [each.address, each.host, ...each.addresses]);
  if (new Set(byName.values()).size > 1) return byName;
  return new Map(servers.map((each) => [each.name, each.address]));
}

/** Servers with a key in common are together, by as many steps as it takes. */
function joined(
  servers: readonly PinnedServer[],
  keysOf: (server: PinnedServer) => string[],
): Map<string, string> {
  let groups: { names: string[]; keys: Set<string> }[] = [];
  for (const server of servers) {
    const keys = keysOf(server);
    const isRelated = (group: { keys: Set<string> }) => keys.some((key) => group.keys.has(key));
    const related = groups.filter(isRelated);
    const merged = {
      names: [...related.flatMap((each) => each.names), server.name],
      keys: new Set([...related.flatMap((each) => [...each.keys]), ...keys]),
    };
    groups = [...groups.filter((each) => !related.includes(each)), merged];
  }
  return new Map(
    groups.flatMap(({ names: [party = "", ...rest] }) =>
      [party, ...rest].map((name): [string, string] => [name, party]),
    ),
  );
}
