/** How a mapping or a filter depends on the other end: RFC 4787 §4.1 and §5. */
export type Dependence =
  | "endpoint_independent"
  | "address_dependent"
  | "address_and_port_dependent";

export interface NatBehaviour {
  /** What else gets another mapped port for the same inside port. */
  mapping: Dependence;
  /** Who may send to a mapped port: anybody, addresses that were sent to, or endpoints. */
  filtering: Dependence;
  /** Whether inside hosts reach each other at mapped ports. */
  hairpin: boolean;
  /** Whether the mapped port is the inside port. Only with endpoint-independent mapping. */
  keepsPorts: boolean;
  /** After how long without traffic a UDP mapping is forgotten. */
  udpTimeoutSeconds: number;
  /** The same of a TCP mapping, while it has connections. */
  tcpTimeoutSeconds: number;
  /** The same once its connections are closing. */
  tcpClosingSeconds: number;
}

/** The names of RFC 3489 §5, as people still use them. */
export type NatKind = "full_cone" | "address_restricted" | "port_restricted" | "symmetric";

const KINDS: Record<NatKind, Pick<NatBehaviour, "mapping" | "filtering">> = {
  full_cone: { mapping: "endpoint_independent", filtering: "endpoint_independent" },
  address_restricted: { mapping: "endpoint_independent", filtering: "address_dependent" },
  port_restricted: { mapping: "endpoint_independent", filtering: "address_and_port_dependent" },
  symmetric: { mapping: "address_and_port_dependent", filtering: "address_and_port_dependent" },
};

export const NAT_KINDS = Object.keys(KINDS) as NatKind[];

/** A full cone with the shortest lifetimes that RFC 4787 REQ-5 and RFC 5382 REQ-5 allow. */
export const DEFAULT_BEHAVIOUR: NatBehaviour = {
  ...KINDS.full_cone,
  hairpin: false,
  keepsPorts: false,
  udpTimeoutSeconds: 120,
  tcpTimeoutSeconds: 7_440,
  tcpClosingSeconds: 240,
};

/** @throws when nothing could behave so */
export function changedBehaviour(
  before: NatBehaviour,
  change: NatKind | Partial<NatBehaviour>,
): NatBehaviour {
  const after = { ...before, ...(typeof change === "string" ? KINDS[change] : change) };
  if (after.keepsPorts && after.mapping !== "endpoint_independent") {
    throw new Error("A NAT whose mapping depends on the other end cannot keep ports.");
  }
  return after;
}
