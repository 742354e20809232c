/** The other side said something the protocol does not allow. */
export class ProtocolError extends Error {}

/** The connection ended or broke before the other side said what was awaited. */
export class ConnectionEnded extends Error {
  constructor(cause?: unknown) {
    super("the connection ended", { cause });
  }
}
