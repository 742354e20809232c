/** Bytes nobody can foresee. */
export type Random = (length: number) => Uint8Array;

/** Carries packets, each with its header, in both directions. */
export interface PacketChannel {
  /** @throws ConnectionEnded */
  send(packet: Uint8Array): Promise<void>;
  /** The next packet. @throws ConnectionEnded, ProtocolError */
  receive(): Promise<Uint8Array>;
  /** Says good-bye where the transport has a word for it. @throws ConnectionEnded */
  end(): Promise<void>;
}
