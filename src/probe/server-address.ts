/** The transports a check can use. */
export const checkedTransports = ["tcp", "ws", "wss"] as const;
export type CheckedTransport = (typeof checkedTransports)[number];

/** Where a node listens: `<transport>://<host>:<port>`. */
export interface ServerAddress {
  transport: CheckedTransport;
  /** An IPv4 address, an IPv6 address without brackets, or a DNS name in lower case. */
  host: string;
  port: number;
}
