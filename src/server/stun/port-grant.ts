/** What a router is asked to forward to this host. */
export interface MappingWish {
  transport: "udp" | "tcp";
  internalPort: number;
  /** The router may give another one. */
  externalPort: number;
  /** 0 = take the mapping away. */
  lifetimeSeconds: number;
}

export interface Grant {
  externalPort: number;
  /** Of the router; null when it does not say. */
  externalIp: string | null;
  /** The router forgets the mapping then; 0 = it is gone. */
  lifetimeSeconds: number;
}

/** A way to ask a router for a mapping. */
export interface MappingProtocol {
  readonly name: "pcp" | "nat_pmp" | "upnp";
  /**
   * Undefined when the router does not speak the protocol or refuses.
   * @throws the reason of `signal`
   */
  map(wish: MappingWish, signal: AbortSignal): Promise<Grant | undefined>;
}
