import type { BindingOutcome } from "./binding.ts";
import type { Dependence, MappingJudgement, Sighting } from "./behaviour.ts";
import { sameEndpoint, type Endpoint } from "./endpoint.ts";
import { toObservation } from "./observation.ts";

/** What one server said to the first question. Exactly one of `mapped` and `error` is set. */
export interface FirstAnswer {
  server: Endpoint;
  mapped: Endpoint | null;
  rttMs: number | null;
  error: string | null;
  /** The other address and port of a server that has both. */
  other: Endpoint | undefined;
}

/** What asking showed, in the order of the servers. */
export interface Exploration extends MappingJudgement {
  answers: FirstAnswer[];
  filtering: Dependence;
  /** Whether our own public address can be reached from inside; null when that says nothing. */
  hairpin: boolean | null;
}

export function toFirstAnswer(server: Endpoint, outcome: BindingOutcome): FirstAnswer {
  const { mapped, rttMs, error } = toObservation(server, outcome, 0);
  return { server, mapped, rttMs, error, other: findOther(server, outcome) };
}

/** Asks all at once; the answers are in the order of the servers. */
export function askEach(
  servers: readonly Endpoint[],
  ask: (server: Endpoint) => Promise<BindingOutcome>,
): Promise<FirstAnswer[]> {
  return Promise.all(servers.map(async (server) => toFirstAnswer(server, await ask(server))));
}

/** OTHER-ADDRESS, or what it was called before RFC 5780. */
function findOther(server: Endpoint, outcome: BindingOutcome): Endpoint | undefined {
  if ("error" in outcome) return undefined;
  const { otherAddress, changedAddress } = outcome.response.attributes;
  const other = otherAddress ?? changedAddress;
  if (!other || other.port === 0 || other.address.includes(":") !== isIpv6(server))
    return undefined;
  return other.address === server.address || other.port === server.port ? undefined : other;
}

function isIpv6({ address }: Endpoint): boolean {
  return address.includes(":");
}

export function toSightings(answers: readonly FirstAnswer[]): Sighting[] {
  return answers.flatMap(({ server, mapped }) => (mapped ? [{ server, mapped }] : []));
}

/** Servers that are asked at their other address, too: more would say the same. */
const MOST_EXPLORED = 2;

/** A server with two addresses and two ports. */
export interface AbleServer {
  server: Endpoint;
  mapped: Endpoint;
  other: Endpoint;
}

export function ableServers(answers: readonly FirstAnswer[]): AbleServer[] {
  return answers
    .flatMap(({ server, mapped, other }) => (mapped && other ? [{ server, mapped, other }] : []))
    .filter(({ server }, index, all) => isFirstOf(server, index, all))
    .slice(0, MOST_EXPLORED);
}

/** One server may be in the list under both of its addresses. */
function isFirstOf(server: Endpoint, index: number, all: readonly AbleServer[]): boolean {
  const before = all.slice(0, index);
  return !before.some(
    (each) => sameEndpoint(each.server, server) || each.other.address === server.address,
  );
}

/** A server at its own endpoint and two others. */
export const WHOLE_GROUP = 3;

/**
 * What the endpoints of a server see that tell on what a mapping depends, its own first. What is
 * known already is not asked again.
 */
export async function askGroup(
  { server, mapped, other }: AbleServer,
  known: readonly FirstAnswer[],
  ask: (server: Endpoint) => Promise<BindingOutcome>,
): Promise<Sighting[]> {
  const alternates = [{ address: other.address, port: server.port }, other];
  const answers = await Promise.all(
    alternates.map(async (alternate) => {
      const before = known.find((each) => sameEndpoint(each.server, alternate));
      return before ?? toFirstAnswer(alternate, await ask(alternate));
    }),
  );
  return [{ server, mapped }, ...toSightings(answers)];
}
