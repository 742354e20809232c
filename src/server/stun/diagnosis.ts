import { isIPv6, isIP } from "node:net";
import { TimeUp, within } from "../../probe/deadline.ts";
import { DialError, type Resolver } from "../../probe/sockets.ts";
import type { StunDiagnosis } from "../../shared/api/stun-diagnosis.ts";
import { formatHostPort, type HostPort } from "../lib/host-port.ts";
import { advise } from "./advice.ts";
import type { DiagnosisPorts } from "./diagnosis-ports.ts";
import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import { askEach, type Exploration, type FirstAnswer } from "./exploration.ts";
import type { AskedServer, Findings } from "./findings.ts";
import { toBindAddress } from "./local-address.ts";
import type { Surroundings } from "./surroundings.ts";
import { TcpExploration } from "./tcp-exploration.ts";
import { UdpExploration } from "./udp-exploration.ts";

export interface DiagnosisQuestion {
  transport: "udp" | "tcp";
  servers: readonly HostPort[];
  /** The source address to pin; null = whichever the system chooses, IPv4. */
  localAddress: string | null;
}

export interface DiagnosisParts {
  ports: DiagnosisPorts;
  resolver: Resolver;
  surroundingsOf(server: Endpoint, localAddress: string | null): Promise<Surroundings>;
  /** What the router says of its outer address, within `withinMs`; null when it says nothing. */
  routerIp(gateway: string, withinMs: number, signal: AbortSignal): Promise<string | null>;
}

const RESOLVE_MS = 3_000;
const ROUTER_MS = 1_000;

interface ResolvedServer {
  named: HostPort;
  address: Endpoint | undefined;
  error: string | null;
}

/** Finds out what kind of NAT lies between this host and the internet, and says what that means. */
export class Diagnosis {
  readonly #parts: DiagnosisParts;

  constructor(parts: DiagnosisParts) {
    this.#parts = parts;
  }

  /** Takes 15 s at most. @throws HoleError; the reason of `signal` */
  async run(question: DiagnosisQuestion, signal: AbortSignal): Promise<StunDiagnosis> {
    const { transport } = question;
    const resolved = await Promise.all(
      question.servers.map((named) => this.#resolve(named, question.localAddress, signal)),
    );
    signal.throwIfAborted();
    const addresses = distinct(resolved.flatMap(({ address }) => address ?? []));
    const [explored, around] = await Promise.all([
      this.#explore(question, addresses, signal),
      this.#lookAround(question, addresses[0], signal),
    ]);
    const { exploration, others } = explored;
    const { mapping, odd, arePortsCompared, filtering, hairpin } = exploration;
    const servers = resolved.map((each) => toAsked(each, exploration.answers));
    const findings: Findings = {
      transport,
      servers,
      mapping,
      odd,
      arePortsCompared,
      filtering,
      hairpin,
      publicIp: mostSeen(exploration.answers),
      publicIpByOther: mostSeen(others),
      ...around,
    };
    return toAnswer(findings);
  }

  async #explore(
    { transport, localAddress }: DiagnosisQuestion,
    addresses: readonly Endpoint[],
    signal: AbortSignal,
  ): Promise<{ exploration: Exploration; others: readonly FirstAnswer[] }> {
    const { ports } = this.#parts;
    if (transport === "udp") {
      const [exploration, others] = await Promise.all([
        new UdpExploration(ports, localAddress).run(addresses, signal),
        this.#askOverTcp(localAddress, addresses, signal),
      ]);
      return { exploration, others };
    }
    const asking = this.#askOverUdp(localAddress, addresses, signal);
    const othersOf = async () => (await asking).map(({ other }) => other);
    const [exploration, others] = await Promise.all([
      new TcpExploration(ports, localAddress).run(addresses, othersOf, signal),
      asking,
    ]);
    return { exploration, others };
  }

  async #askOverTcp(
    localAddress: string | null,
    addresses: readonly Endpoint[],
    signal: AbortSignal,
  ): Promise<FirstAnswer[]> {
    const port = this.#parts.ports.stream(localAddress);
    try {
      await port.open();
      return await askEach(addresses, (server) => port.ask(server, signal));
    } finally {
      await port.close();
    }
  }

  async #askOverUdp(
    localAddress: string | null,
    addresses: readonly Endpoint[],
    signal: AbortSignal,
  ): Promise<FirstAnswer[]> {
    const port = this.#parts.ports.datagram(localAddress);
    try {
      await port.open();
      return await askEach(addresses, (server) => port.ask({ server }, signal));
    } finally {
      await port.close();
    }
  }

  async #lookAround(
    { localAddress }: DiagnosisQuestion,
    server: Endpoint | undefined,
    signal: AbortSignal,
  ): Promise<Pick<Findings, "surroundings" | "routerIp">> {
    if (!server) return { surroundings: null, routerIp: null };
    const surroundings = await this.#parts.surroundingsOf(server, localAddress);
    const { gateway, exit } = surroundings;
    const isAsked = gateway !== null && exit?.isTunnel !== true && !isIPv6(server.address);
    const routerIp = isAsked ? await this.#parts.routerIp(gateway, ROUTER_MS, signal) : null;
    return { surroundings, routerIp };
  }

  async #resolve(
    named: HostPort,
    localAddress: string | null,
    signal: AbortSignal,
  ): Promise<ResolvedServer> {
    const wantsIpv6 = isIPv6(toBindAddress(localAddress));
    const version = wantsIpv6 ? "IPv6" : "IPv4";
    try {
      const found = isIP(named.host)
        ? [named.host]
        : await within(RESOLVE_MS, signal, (inTime) =>
            this.#parts.resolver.resolve(named.host, inTime),
          );
      const address = found.find((each) => isIPv6(each) === wantsIpv6);
      if (address !== undefined) {
        return { named, address: { address, port: named.port }, error: null };
      }
      return { named, address: undefined, error: `${named.host} has no ${version} address` };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof TimeUp) && !(error instanceof DialError)) throw error;
      return { named, address: undefined, error: `${named.host} could not be resolved` };
    }
  }
}

function distinct(endpoints: readonly Endpoint[]): Endpoint[] {
  return [...new Map(endpoints.map((each) => [formatEndpoint(each), each])).values()];
}

function mostSeen(answers: readonly FirstAnswer[]): string | null {
  const seen = answers.flatMap(({ mapped }) => (mapped ? [mapped.address] : []));
  const count = (address: string) => seen.filter((each) => each === address).length;
  return seen.toSorted((a, b) => count(b) - count(a))[0] ?? null;
}

function toAsked(
  { named, address, error }: ResolvedServer,
  answers: readonly FirstAnswer[],
): AskedServer {
  const name = address && formatEndpoint(address);
  const answer = answers.find(({ server }) => formatEndpoint(server) === name);
  return {
    named,
    address,
    mapped: answer?.mapped ?? null,
    rttMs: answer?.rttMs ?? null,
    error: answer ? answer.error : error,
  };
}

function toAnswer(findings: Findings): StunDiagnosis {
  const { transport, mapping, filtering, hairpin, publicIp, servers } = findings;
  return {
    transport,
    mapping,
    filtering,
    hairpin,
    public_ip: publicIp,
    servers: servers.map(({ named, mapped, rttMs, error }) => ({
      server: formatHostPort(named),
      rtt_ms: rttMs === null ? null : Math.round(rttMs * 10) / 10,
      public_ip: mapped?.address ?? null,
      public_port: mapped?.port ?? null,
      error,
    })),
    advice: advise(findings),
  };
}
