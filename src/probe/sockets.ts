/** An open connection; the only thing that differs between the places a check can run in. */
export interface Connection {
  /** The bytes that came next, as they came; undefined once the other side has ended. */
  read(): Promise<Uint8Array | undefined>;
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Speaks TLS from here on; the certificate need not be valid where the place allows that. Closing
   * either of the two connections ends both, also while this is under way.
   * @param name sent as the server's name; undefined when the host is an address
   * @throws DialError `failed` when the place cannot speak TLS to this server whatever the server
   *   does, say because it insists on a valid certificate; anything else when the server fails.
   *   Where that shows late, the first read or write throws it.
   */
  secure(name: string | undefined): Promise<Connection>;
  /** Ends it at once; reads and writes that wait fail. Safe to call twice. Never throws. */
  close(): void;
}

/** Opens TCP connections to addresses that have been judged before. */
export interface Sockets {
  /**
   * @param address an IPv4 or IPv6 address, never a name
   * @throws DialError for what the other side or the network does; when `signal` aborts, whatever it
   *   carries, and no connection is left; anything else is trouble of this side
   */
  connect(address: string, port: number, signal: AbortSignal): Promise<Connection>;
}

/** Finds the addresses of a name. */
export interface Resolver {
  /**
   * IPv4 and IPv6 addresses, best first, none when the name has none.
   * @throws DialError `name_unresolved` when the question itself fails
   */
  resolve(name: string, signal: AbortSignal): Promise<string[]>;
}

export const dialFailures = [
  "name_unresolved",
  "refused",
  "unreachable",
  "timed_out",
  "failed",
] as const;
export type DialFailure = (typeof dialFailures)[number];

/** Why a connection did not open. The message may be shown to whoever asked. */
export class DialError extends Error {
  readonly failure: DialFailure;

  constructor(failure: DialFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}
