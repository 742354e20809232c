import type { Logger } from "../lib/logger.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ForwardTarget, Hole, Traffic } from "./hole.ts";
import type { Observation } from "./observation.ts";
import { NatPmp } from "./nat-pmp.ts";
import { Pcp } from "./pcp.ts";
import type { MappingProtocol } from "./port-grant.ts";
import { PortMapping, type PortMappingState } from "./port-mapping.ts";
import { PORT_MAPPING_PORT } from "./router-question.ts";
import type { Surroundings } from "./surroundings.ts";
import { Upnp } from "./upnp.ts";

export interface PortMappedParts {
  hole: Hole;
  localAddress: string | null;
  surroundingsOf(server: Endpoint, localAddress: string | null): Promise<Surroundings>;
  protocolsOf?: (router: string, localAddress: string) => MappingProtocol[];
  logger: Logger;
}

/** Somewhere on the internet (RFC 5737); nothing is sent there. */
const ELSEWHERE: Endpoint = { address: "192.0.2.1", port: 9 };
/** A router in the house answers within milliseconds. */
const ROUTER_MS = 1_500;

/**
 * A hole whose port the home router is asked to forward for as long as the hole is open. What the
 * router says stays apart from what the STUN servers see; without the router's help the hole is
 * what it would be anyway.
 */
export class PortMappedHole implements Hole {
  readonly transport: "udp" | "tcp";
  readonly #parts: PortMappedParts;
  readonly #hole: Hole;
  #mapping: PortMapping | undefined;
  #isClosed = false;

  constructor(parts: PortMappedParts) {
    this.#parts = parts;
    this.#hole = parts.hole;
    this.transport = parts.hole.transport;
  }

  get local(): Endpoint {
    return this.#hole.local;
  }

  get traffic(): Traffic {
    return this.#hole.traffic;
  }

  async open(): Promise<void> {
    await this.#hole.open();
    this.#startMapping().catch((error: unknown) => this.#noteDefect(error));
  }

  probe(server: Endpoint, signal: AbortSignal): Promise<Observation> {
    return this.#hole.probe(server, signal);
  }

  forward(target: ForwardTarget | null): void {
    this.#hole.forward(target);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#mapping?.stop(), this.#hole.close()]);
  }

  async #startMapping(): Promise<void> {
    const { localAddress, protocolsOf = allProtocols, logger } = this.#parts;
    const { exit, gateway } = await this.#parts.surroundingsOf(ELSEWHERE, localAddress);
    if (this.#isClosed) return;
    const port = this.local.port;
    if (exit === null || gateway === null || exit.isTunnel) {
      logger.info({ port }, "no home router is in sight that could forward the port");
      return;
    }
    this.#mapping = new PortMapping({
      transport: this.transport,
      port,
      protocols: protocolsOf(gateway, exit.address),
      onDefect: (error) => this.#noteDefect(error),
      onChanged: (state) => this.#note(state),
    });
    this.#mapping.start();
  }

  #note(state: PortMappingState): void {
    const { logger } = this.#parts;
    const { port } = this.local;
    if (state.status === "mapped") logger.debug({ port, ...state }, "the home router forwards");
    else logger.info({ port }, "the home router does not forward the port");
  }

  #noteDefect(error: unknown): void {
    this.#parts.logger.error({ err: error }, "the home router could not be asked");
  }
}

function allProtocols(router: string, localAddress: string): MappingProtocol[] {
  const at = { address: router, port: PORT_MAPPING_PORT };
  return [
    new Pcp(at, localAddress, ROUTER_MS),
    new NatPmp(at, ROUTER_MS),
    new Upnp({ router, localAddress }),
  ];
}
