import type { BindingOutcome, BindingQuestion } from "../../src/server/stun/binding.ts";
import type {
  DatagramPort,
  DiagnosisPorts,
  StreamPort,
} from "../../src/server/stun/diagnosis-ports.ts";
import { formatEndpoint, sameEndpoint, type Endpoint } from "../../src/server/stun/endpoint.ts";

type Dependence = "endpoint_independent" | "address_dependent" | "address_and_port_dependent";

/** A NAT and what lies behind it, in memory. */
export interface WorldSettings {
  /** Null: there is no NAT. */
  nat: { mapping: Dependence; filtering: Dependence; hairpin: boolean } | null;
  servers: WorldServer[];
  /** Transports that do not get out. */
  blocked?: ("udp" | "tcp")[];
  /** The mapped address by transport and server address, where it is not the NAT's own. */
  publicAddressFor?: (transport: "udp" | "tcp", server: string) => string | undefined;
  /** Something else listens at the NAT's own address. */
  routerListens?: boolean;
}

export interface WorldServer {
  at: Endpoint;
  /** The other address and port, which it tells and answers from when asked to. */
  other?: Endpoint;
  /** Tells the other address although nothing is there. */
  otherIsDead?: boolean;
  /** Answers requests to answer from elsewhere from where it always does. */
  ignoresChange?: boolean;
  /** Does not answer. */
  isDead?: boolean;
  /** Says this instead of the truth. */
  lie?: Endpoint;
  /** Answers with the error 420 or the like. */
  refuses?: boolean;
  rttMs?: number;
}

const OWN = "192.168.1.10";
const PUBLIC = "203.0.113.77";

/** An internet without sockets: what is asked is answered at once, and what is lost is silence. */
export class NatWorld implements DiagnosisPorts {
  readonly settings: WorldSettings;
  readonly openPorts = new Set<object>();
  readonly ownAddress = OWN;
  readonly publicAddress = PUBLIC;
  readonly #mapped = { udp: new Map<string, number>(), tcp: new Map<string, number>() };
  readonly #datagramPorts: WorldDatagramPort[] = [];
  #lastPort = 40_000;

  constructor(settings: WorldSettings) {
    this.settings = settings;
  }

  datagram(): DatagramPort {
    const port = new WorldDatagramPort(this, ++this.#lastPort);
    this.#datagramPorts.push(port);
    return port;
  }

  stream(): StreamPort {
    return new WorldStreamPort(this, ++this.#lastPort);
  }

  isOwnAddress(address: string): boolean {
    return address === OWN || (this.settings.nat === null && address === PUBLIC);
  }

  /** What the other side sees of a local port. */
  map(transport: "udp" | "tcp", localPort: number, to: Endpoint): Endpoint {
    const { nat, publicAddressFor } = this.settings;
    const address = publicAddressFor?.(transport, to.address) ?? PUBLIC;
    if (!nat) return { address, port: localPort };
    const parts: (string | number)[] = [localPort];
    if (nat.mapping !== "endpoint_independent") parts.push(to.address);
    if (nat.mapping === "address_and_port_dependent") parts.push(to.port);
    const key = parts.join(" ");
    const mapped = this.#mapped[transport];
    const port = mapped.get(key) ?? 50_000 + mapped.size;
    mapped.set(key, port);
    return { address, port };
  }

  /** The server at an endpoint, and whether it is its first or its other self. */
  serverAt(at: Endpoint): WorldServer | undefined {
    return this.settings.servers.find(
      (server) =>
        sameEndpoint(server.at, at) ||
        (server.other !== undefined &&
          !server.otherIsDead &&
          [server.at.address, server.other.address].includes(at.address) &&
          [server.at.port, server.other.port].includes(at.port)),
    );
  }

  /** Whether a packet from `from` passes to a port that has sent to `contacted`. */
  letsIn(from: Endpoint, contacted: readonly Endpoint[]): boolean {
    const { nat } = this.settings;
    if (!nat || nat.filtering === "endpoint_independent") return true;
    return contacted.some(
      (each) =>
        each.address === from.address &&
        (nat.filtering === "address_dependent" || each.port === from.port),
    );
  }

  /** A datagram from inside to the NAT's own address. */
  turnBack(bytes: Buffer, from: WorldDatagramPort, to: Endpoint): void {
    if (!this.settings.nat?.hairpin) return;
    const source = this.map("udp", from.local.port, to);
    for (const port of this.#datagramPorts) {
      const isTarget = port.contacted.some((each) =>
        sameEndpoint(this.map("udp", port.local.port, each), to),
      );
      if (isTarget && this.letsIn(source, port.contacted)) port.heard.push(bytes);
    }
  }
}

class WorldDatagramPort implements DatagramPort {
  readonly local: Endpoint;
  readonly contacted: Endpoint[] = [];
  readonly heard: Buffer[] = [];
  misplacedAnswers = 0;
  readonly #world: NatWorld;

  constructor(world: NatWorld, port: number) {
    this.#world = world;
    this.local = { address: "0.0.0.0", port };
  }

  async open(): Promise<void> {
    this.#world.openPorts.add(this);
  }

  async close(): Promise<void> {
    this.#world.openPorts.delete(this);
  }

  async ask(
    { server: at, change, answersFrom = at }: BindingQuestion,
    signal: AbortSignal,
  ): Promise<BindingOutcome> {
    signal.throwIfAborted();
    const { settings } = this.#world;
    this.contacted.push(at);
    const server = this.#world.serverAt(at);
    if (settings.blocked?.includes("udp") || !server || server.isDead) return silence(at);
    const mapped = this.#world.map("udp", this.local.port, at);
    if (!change) return answer(server, at, mapped);
    if (server.ignoresChange || !server.other) {
      this.misplacedAnswers++;
      return silence(at);
    }
    const source = {
      address: change.address ? server.other.address : at.address,
      port: change.port ? server.other.port : at.port,
    };
    const arrives = !server.otherIsDead && this.#world.letsIn(source, this.contacted);
    return arrives && sameEndpoint(source, answersFrom) ? answer(server, at, mapped) : silence(at);
  }

  send(bytes: Buffer, to: Endpoint): void {
    this.contacted.push(to);
    this.#world.turnBack(bytes, this, to);
  }

  async hears(bytes: Buffer): Promise<boolean> {
    return this.heard.some((each) => each.equals(bytes));
  }
}

class WorldStreamPort implements StreamPort {
  readonly local: Endpoint;
  readonly #world: NatWorld;

  constructor(world: NatWorld, port: number) {
    this.#world = world;
    this.local = { address: "0.0.0.0", port };
  }

  async open(): Promise<void> {
    this.#world.openPorts.add(this);
  }

  async close(): Promise<void> {
    this.#world.openPorts.delete(this);
  }

  async ask(at: Endpoint, signal: AbortSignal): Promise<BindingOutcome> {
    signal.throwIfAborted();
    const server = this.#world.serverAt(at);
    if (this.#world.settings.blocked?.includes("tcp") || !server || server.isDead) {
      return silence(at);
    }
    // Over connections a server does not tell its other address.
    const { other: _, ...rest } = server;
    return answer(rest, at, this.#world.map("tcp", this.local.port, at));
  }

  async reach(): Promise<"us" | "other" | "nobody"> {
    const { nat, routerListens } = this.#world.settings;
    if (routerListens) return "other";
    return nat?.hairpin && nat.filtering === "endpoint_independent" ? "us" : "nobody";
  }
}

function silence(server: Endpoint): BindingOutcome {
  return { error: `${formatEndpoint(server)} did not answer within 3 s` };
}

function answer(server: WorldServer, from: Endpoint, mapped: Endpoint): BindingOutcome {
  const { lie, other, refuses, rttMs = 20 } = server;
  return {
    from,
    rttMs,
    response: {
      kind: refuses ? "error" : "success",
      transactionId: "0".repeat(24),
      fingerprint: false,
      unknownRequired: [],
      attributes: refuses
        ? { error: { code: 420, reason: "Unknown Attribute" } }
        : { xorMapped: lie ?? mapped, ...(other && { otherAddress: other }) },
    },
  };
}
