import { transports, type Connection, type Transport } from "../../shared/api/nodes.ts";

/** Bit n for the n-th transport of the wire contract's list. */
export function transportBit(transport: Transport): number {
  return 1 << transports.indexOf(transport);
}

export function transportBits(connections: readonly Connection[]): number {
  return connections.reduce((bits, each) => bits | transportBit(each.type as Transport), 0);
}
