import { RegistryNodeConfig } from "../../../shared/api/callbacks.ts";
import { transports, type Connection, type Transport } from "../../../shared/api/nodes.ts";
import type { Mapping } from "../change.ts";
import { ActionError, type Action, type ActionInput } from "./action.ts";
import { toFinding } from "./finding.ts";

/** How the connections of nodes are read and changed. */
export interface NodeDoor {
  /** Undefined: no such node. */
  connectionsOf(nodeId: number): Connection[] | undefined;
  /**
   * Changes connections in turn with the owner's changes.
   * @param change what they become; the same list again: nothing is to change
   * @param actor who is named in the audit log
   * @returns false when nothing was to change; undefined when there is no such node
   */
  changeConnections(
    nodeId: number,
    actor: string,
    change: (connections: readonly Connection[]) => readonly Connection[],
  ): Promise<boolean | undefined>;
}

type Input = ActionInput<RegistryNodeConfig>;

/** Keeps one connection of a node of this registry in step. */
export function registryNode(nodes: NodeDoor, mostConnections: number): Action<RegistryNodeConfig> {
  const connectionsOf = ({ node_id: id }: RegistryNodeConfig) => {
    const connections = nodes.connectionsOf(id);
    if (!connections) throw gone(id);
    return connections;
  };
  const planFor = (input: Input) => (connections: readonly Connection[]) =>
    withMapping(connections, input, mostConnections);

  return {
    type: "registry_node",
    config: RegistryNodeConfig,

    objections({ node_id: id, transport }) {
      const faults = [];
      if (!nodes.connectionsOf(id))
        faults.push({ path: "node_id", message: "is the id of no node" });
      if (transport !== undefined && !toTransport(transport)) {
        faults.push({ path: "transport", message: `must be one of ${transports.join(", ")}` });
      }
      return faults;
    },

    async run(input) {
      const { node_id: id } = input.config;
      const actor = `callback of ${input.values.rule_name}`;
      const changed = await nodes.changeConnections(id, actor, planFor(input));
      if (changed === undefined) throw gone(id);
      const what = `The ${transportOf(input)} connection of node ${id}`;
      const { public_address: address } = input.values;
      return changed
        ? { status: "succeeded", note: `${what} is ${address} now` }
        : { status: "skipped", note: `${what} is ${address} already` };
    },

    test: (input) =>
      toFinding(async () => {
        const connections = connectionsOf(input.config);
        const transport = transportOf(input);
        const known = connections.filter(({ type }) => type === transport);
        const shown = known.map(({ ip, port }) => `${ip} port ${port}`).join(", ");
        const has = shown === "" ? `no ${transport} connection yet` : `${transport} at ${shown}`;
        return {
          ok: true,
          message: `Node ${input.config.node_id} has ${has}`,
          details: { connections },
        };
      }),

    async dryRun(input) {
      const before = connectionsOf(input.config);
      const after = planFor(input)(before);
      return { changed: after !== before, before, after };
    },
  };
}

/**
 * The connections with the mapping in the place of the one that is kept in step, or added when there is
 * none; the same list when it says so already.
 * @throws ActionError
 */
function withMapping(
  connections: readonly Connection[],
  input: Input,
  most: number,
): readonly Connection[] {
  const transport = transportOf(input);
  const wanted = toConnection(transport, input.mapping);
  if (connections.some((each) => isSame(each, wanted))) return connections;
  const candidates = connections.filter(({ type }) => type === transport);
  const { previous } = input;
  const kept =
    candidates.length === 1
      ? candidates[0]
      : candidates.find((each) => previous && isSame(each, toConnection(transport, previous)));
  if (kept) return connections.map((each) => (each === kept ? wanted : each));
  if (candidates.length > 0) {
    const message = `The node has ${candidates.length} ${transport} connections, and none is the one that was set before`;
    throw new ActionError("permanent", "several_connections", message);
  }
  if (connections.length >= most) {
    const message = `The node has ${most} connections already: there is no room for another`;
    throw new ActionError("permanent", "no_room", message);
  }
  return [...connections, wanted];
}

function toConnection(type: Transport, { publicIp: ip, publicPort: port }: Mapping): Connection {
  return { type, ip, port };
}

function isSame(one: Connection, other: Connection): boolean {
  return one.type === other.type && one.ip === other.ip && one.port === other.port;
}

/** @throws ActionError for a word that was none when it was saved: that cannot be */
function transportOf({ config, values }: Input): Transport {
  const transport = toTransport(config.transport ?? values.transport);
  if (transport) return transport;
  throw new ActionError("permanent", "transport", `${config.transport} is no transport`);
}

function toTransport(word: string): Transport | undefined {
  return transports.find((each) => each === word.toUpperCase());
}

function gone(id: number): ActionError {
  return new ActionError("permanent", "not_found", `There is no node ${id} any more`);
}
