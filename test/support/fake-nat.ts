import { formatEndpoint, type Endpoint } from "../../src/server/stun/endpoint.ts";
import type { HoleFactory, HolePlan } from "../../src/server/stun/hole-keeper.ts";
import {
  HoleError,
  type ForwardTarget,
  type Hole,
  type HoleEvents,
} from "../../src/server/stun/hole.ts";
import type { Observation } from "../../src/server/stun/observation.ts";
import type { Clock } from "../../src/server/lib/clock.ts";
import type { StunOptions } from "../../src/server/stun/stun.ts";
import type { Timekeeper } from "../../src/server/stun/timer-wheel.ts";

const RTT_MS = 20;
const TIME_OUT_MS = 3_000;
const FIRST_FREE_PORT = 40_000;

/** A host behind a router, with servers outside that see it; no sockets. */
export class FakeNat {
  /** What servers see. */
  mapping: Endpoint = { address: "203.0.113.7", port: 5_000 };
  /** What servers say that do not say the truth, by their addresses. */
  readonly lies = new Map<string, Endpoint>();
  readonly dead = new Set<string>();
  /** No server answers. */
  isCut = false;
  /** Ports of other programs. */
  readonly taken = new Set<number>();
  /** Of the host; undefined = all there are. */
  addresses: string[] | undefined;
  /** Every hole so far. */
  readonly holes: FakeHole[] = [];
  /** Servers in the order in which they were asked. */
  readonly asked: string[] = [];
  readonly clock: Clock;
  readonly time: Timekeeper;
  readonly #names: string[] = [];
  #nextPort = FIRST_FREE_PORT;

  constructor(clock: Clock, time: Timekeeper) {
    this.clock = clock;
    this.time = time;
  }

  readonly createHole: HoleFactory = (plan, events) => {
    const hole = new FakeHole(this, plan, events);
    this.holes.push(hole);
    return hole;
  };

  /** For a service whose holes are those of this host; every name leads to an address of its own. */
  get options(): StunOptions {
    const { createHole, time } = this;
    const resolve = async (name: string) => {
      if (!this.#names.includes(name)) this.#names.push(name);
      return [`198.51.100.${1 + (this.#names.indexOf(name) % 250)}`];
    };
    return { createHole, time, resolver: { resolve } };
  }

  get openHoles(): FakeHole[] {
    return this.holes.filter((each) => each.isOpen);
  }

  bind({ transport, localAddress, localPort }: HolePlan): Endpoint {
    const address = localAddress ?? "0.0.0.0";
    const port = localPort === 0 ? this.#nextPort++ : localPort;
    if (localAddress !== null && this.addresses && !this.addresses.includes(localAddress)) {
      throw new HoleError("address_not_ours", `${localAddress} is no address of this host`);
    }
    const isTaken = this.openHoles.some(
      (each) => each.transport === transport && each.local.port === port,
    );
    if (isTaken || this.taken.has(port)) {
      throw new HoleError("port_in_use", `Port ${port} is used by somebody else`);
    }
    return { address, port };
  }

  answer(server: string): Endpoint | undefined {
    this.asked.push(server);
    if (this.isCut || this.dead.has(server)) return undefined;
    return this.lies.get(server) ?? this.mapping;
  }
}

/** A hole whose answers the test says. */
export class FakeHole implements Hole {
  readonly transport: "udp" | "tcp";
  readonly traffic = { open: 0, total: 0, refused: 0, bytesIn: 0, bytesOut: 0 };
  readonly events: HoleEvents;
  target: ForwardTarget | null = null;
  isOpen = false;
  local: Endpoint = { address: "0.0.0.0", port: 0 };
  readonly #nat: FakeNat;
  readonly #plan: HolePlan;

  constructor(nat: FakeNat, plan: HolePlan, events: HoleEvents) {
    this.#nat = nat;
    this.#plan = plan;
    this.transport = plan.transport;
    this.events = events;
  }

  async open(): Promise<void> {
    this.local = this.#nat.bind(this.#plan);
    this.isOpen = true;
  }

  probe(server: Endpoint, signal: AbortSignal): Promise<Observation> {
    const { promise, resolve, reject } = Promise.withResolvers<Observation>();
    const name = formatEndpoint(server);
    const mapped = this.#nat.answer(name) ?? null;
    const end = () => {
      const at = this.#nat.clock.now();
      const error = mapped ? null : `${name} did not answer within 3 s`;
      resolve({ at, server: name, mapped, rttMs: mapped && RTT_MS, error });
    };
    const cancel = this.#nat.time.after(mapped ? RTT_MS : TIME_OUT_MS, end);
    const abort = () => {
      cancel();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", abort));
  }

  forward(target: ForwardTarget | null): void {
    this.target = target;
  }

  async close(): Promise<void> {
    this.isOpen = false;
  }
}
