import { sameEndpoint, type Endpoint } from "./endpoint.ts";

/**
 * How a mapping or a filter depends on the other end (RFC 4787 §4.1 and §5). `none`: there is no
 * NAT, or nothing is filtered where there is none.
 */
export type Dependence =
  | "endpoint_independent"
  | "address_dependent"
  | "address_and_port_dependent"
  | "none"
  | "unknown";

/** What one endpoint of a server saw of our port. */
export interface Sighting {
  server: Endpoint;
  mapped: Endpoint;
}

export interface MappingJudgement {
  mapping: Dependence;
  /** What contradicts the judgement, when few say something else than the rest. */
  odd: Sighting[];
  /**
   * False when the mapping depends on the address at least, and nobody could be asked at two ports
   * of one address.
   */
  arePortsCompared: boolean;
}

/**
 * Compares what was seen from one local port (RFC 5780 §4.3).
 * @param groups what belongs together: endpoints of one server under two addresses and ports, or
 * one endpoint each of servers that know nothing of each other
 */
export function judgeMapping(
  groups: readonly (readonly Sighting[])[],
  isOwn: (mapped: Endpoint) => boolean,
): MappingJudgement {
  const all = groups.flat();
  const odd: Sighting[] = [];
  if (all.length > 0 && all.every(({ mapped }) => isOwn(mapped))) {
    return { mapping: "none", odd, arePortsCompared: true };
  }
  const verdicts = groups.map(compare).filter((verdict) => verdict.mapping !== "unknown");
  const dependent = verdicts.filter(({ mapping }) => mapping !== "endpoint_independent");
  const worst = dependent.find(({ mapping }) => mapping === "address_and_port_dependent");
  const conclusive = worst ?? dependent[0];
  if (conclusive) return { ...conclusive, odd };
  const agreed = findAgreed(all);
  if (agreed) {
    const others = all.filter(({ mapped }) => !sameEndpoint(mapped, agreed));
    return { mapping: "endpoint_independent", odd: others, arePortsCompared: true };
  }
  return { ...compare(all), odd };
}

type Comparison = Omit<MappingJudgement, "odd">;

function compare(sightings: readonly Sighting[]): Comparison {
  const pairs = sightings.flatMap((one, index) =>
    sightings.slice(index + 1).map((other) => ({
      isSameAddress: one.server.address === other.server.address,
      isSameMapping: sameEndpoint(one.mapped, other.mapped),
    })),
  );
  const ofOneAddress = pairs.filter(({ isSameAddress }) => isSameAddress);
  const ofTwoAddresses = pairs.filter(({ isSameAddress }) => !isSameAddress);
  const arePortsCompared = ofOneAddress.length > 0;
  if (ofOneAddress.some(({ isSameMapping }) => !isSameMapping)) {
    return { mapping: "address_and_port_dependent", arePortsCompared };
  }
  if (ofTwoAddresses.length === 0) return { mapping: "unknown", arePortsCompared };
  if (ofTwoAddresses.every(({ isSameMapping }) => isSameMapping)) {
    return { mapping: "endpoint_independent", arePortsCompared };
  }
  return { mapping: "address_dependent", arePortsCompared };
}

/** The mapping that servers at two addresses at least, and more than half of all, have seen. */
function findAgreed(sightings: readonly Sighting[]): Endpoint | undefined {
  const addresses = new Set(sightings.map(({ server }) => server.address));
  for (const { mapped } of sightings) {
    const agreeing = sightings.filter((each) => sameEndpoint(each.mapped, mapped));
    const where = new Set(agreeing.map(({ server }) => server.address));
    if (where.size >= 2 && where.size * 2 > addresses.size) return mapped;
  }
  return undefined;
}

/** What came back of the requests to answer from elsewhere (RFC 5780 §4.4). */
export interface FilteringFindings {
  /** The answer from another address and port came; the one from another port of the same. */
  fromOtherAddress: boolean;
  fromOtherPort: boolean;
  /** Whether the server does as it is asked, and its other address is alive. */
  isServerAble: boolean;
}

export function judgeFiltering(
  { fromOtherAddress, fromOtherPort, isServerAble }: FilteringFindings,
  mapping: Dependence,
): Dependence {
  if (fromOtherAddress) return mapping === "none" ? "none" : "endpoint_independent";
  if (!isServerAble) return "unknown";
  return fromOtherPort ? "address_dependent" : "address_and_port_dependent";
}
