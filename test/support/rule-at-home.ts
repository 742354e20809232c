import { setTimeout as pause } from "node:timers/promises";
import { HOME } from "../../lab/address-plan.ts";
import type { Endpoint } from "../../lab/endpoint.ts";
import type {
  MappingChange,
  Rule,
  RuleState,
  RuleStatus,
  StunObservation,
} from "../../src/shared/api/stun.ts";
import type { ServiceAtHome } from "./service-at-home.ts";

const OPEN_MS = 15_000;
const LOOK_EVERY_MS = 50;
const PAGE = 1_000;

/** A rule of a service in the laboratory, as its API and the NAT show it. */
export class RuleAtHome {
  readonly id: number;
  readonly transport: Rule["transport"];
  readonly settleMs: number;
  readonly intervalMs: number;
  readonly #service: ServiceAtHome;

  constructor(service: ServiceAtHome, rule: Rule) {
    this.#service = service;
    this.id = rule.id;
    this.transport = rule.transport;
    this.settleMs = rule.settle_seconds * 1_000;
    this.intervalMs = rule.probe_interval_seconds * 1_000;
  }

  async remove(): Promise<void> {
    await this.#service.ask("DELETE", this.#path);
  }

  async state(): Promise<RuleState> {
    const { rule } = await this.#service.ask<{ rule: Rule }>("GET", this.#path);
    return rule.state;
  }

  /** Waits until it has this status. */
  async becomes(status: RuleStatus, patienceMs = OPEN_MS): Promise<RuleState> {
    return this.#until(
      patienceMs,
      () => this.state(),
      (state) => state.status === status,
    );
  }

  /** Newest first; the last one is the first mapping ever. */
  async changes(): Promise<MappingChange[]> {
    const path = `${this.#path}/changes`;
    return (await this.#service.ask<{ changes: MappingChange[] }>("GET", path)).changes;
  }

  /** Newest first, those since a time (ISO 8601). */
  async observations(since = ""): Promise<StunObservation[]> {
    const all: StunObservation[] = [];
    for (;;) {
      const before = all.at(-1)?.at;
      const query = `limit=${PAGE}${before ? `&before=${encodeURIComponent(before)}` : ""}`;
      const path = `${this.#path}/observations?${query}`;
      const { observations } = await this.#service.ask<{ observations: StunObservation[] }>(
        "GET",
        path,
      );
      all.push(...observations.filter((each) => each.at >= since));
      if (observations.length < PAGE || all.at(-1) !== observations.at(-1)) return all;
    }
  }

  /** Makes it probe now. */
  async probe(): Promise<StunObservation> {
    const path = `${this.#path}/probe`;
    return (await this.#service.ask<{ observation: StunObservation }>("POST", path)).observation;
  }

  /** Waits until servers have answered so many more probes. @returns these and others, newest first */
  async isProbedAgain(answers = 3, patienceMs = OPEN_MS): Promise<StunObservation[]> {
    const since = new Date().toISOString();
    return this.#until(
      patienceMs,
      () => this.observations(since),
      (observations) => observations.filter(({ error }) => error === null).length >= answers,
    );
  }

  /** The public endpoints that the NAT has for its hole; one, as long as its local port is one. */
  async mappings(): Promise<Endpoint[]> {
    const { local_port: port } = await this.state();
    const all = await this.#service.lab.nat.mappings();
    const isIts = (inside: Endpoint) => inside.address === HOME.host && inside.port === port;
    return all
      .filter((each) => each.transport === this.transport && isIts(each.inside))
      .map((each) => each.public);
  }

  /** Looks until it is so, and throws when that takes too long. @returns what it saw last */
  async #until<Seen>(
    patienceMs: number,
    look: () => Promise<Seen>,
    isSo: (seen: Seen) => boolean,
  ): Promise<Seen> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const seen = await look();
      if (isSo(seen)) return seen;
      if (performance.now() > deadline) {
        const shown = JSON.stringify(seen);
        throw new Error(`Rule ${this.id} over ${this.transport}, ${patienceMs} ms later: ${shown}`);
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  get #path(): string {
    return `/api/stun/rules/${this.id}`;
  }
}

/** Where others reach it. */
export function publicEndpoint(of: {
  public_ip: string | null;
  public_port: number | null;
}): Endpoint {
  if (of.public_ip === null || of.public_port === null) throw new Error("It has a mapping.");
  return { address: of.public_ip, port: of.public_port };
}
