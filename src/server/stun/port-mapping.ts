import type { Grant, MappingProtocol } from "./port-grant.ts";

export interface PortMappingParts {
  transport: "udp" | "tcp";
  /** Ours; the router is asked for the same number outside. */
  port: number;
  /** In the order in which they are tried. */
  protocols: readonly MappingProtocol[];
  /** What went wrong and should not have. */
  onDefect(error: unknown): void;
  /** After each attempt. */
  onChanged?(state: PortMappingState): void;
  lifetimeSeconds?: number;
  /** Until the next attempt when none has worked. */
  retryMs?: number;
}

/** What the router forwards to us; apart from what STUN servers see. */
export type PortMappingState =
  | { status: "asking" | "refused" | "ended" }
  | {
      status: "mapped";
      by: MappingProtocol["name"];
      /** The router's own outer address, which need not be a public one. */
      externalIp: string | null;
      externalPort: number;
    };

/** Short enough to notice soon that the router has forgotten. */
const LIFETIME_SECONDS = 1_200;
const RETRY_MS = 600_000;
const SHORTEST_RENEWAL_MS = 250;
/** A router that does not answer forgets by itself. */
const FAREWELL_MS = 2_000;

/** Keeps a port of the home router open for as long as it runs, and closes it at the end. */
export class PortMapping {
  readonly #parts: PortMappingParts;
  readonly #life = new AbortController();
  #state: PortMappingState = { status: "asking" };
  #granted: { protocol: MappingProtocol; grant: Grant } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: PortMappingParts) {
    this.#parts = parts;
  }

  get state(): PortMappingState {
    return this.#state;
  }

  start(): void {
    this.#work = this.#ask().catch((error: unknown) => this.#parts.onDefect(error));
  }

  /** Takes the mapping away, as far as the router answers in time. Safe twice. */
  async stop(): Promise<void> {
    this.#life.abort(new Error("The port mapping has ended"));
    clearTimeout(this.#timer);
    await this.#work;
    const granted = this.#granted;
    this.#granted = undefined;
    this.#state = { status: "ended" };
    if (!granted) return;
    const { protocol, grant } = granted;
    const farewell = AbortSignal.timeout(FAREWELL_MS);
    await protocol
      .map(this.#wish(grant.externalPort, 0), farewell)
      .catch((error: unknown) => rethrowUnless(farewell.aborted, error));
  }

  /** Whatever has worked last is asked first. */
  async #ask(): Promise<void> {
    const { protocols, lifetimeSeconds = LIFETIME_SECONDS, retryMs = RETRY_MS } = this.#parts;
    const { signal } = this.#life;
    const last = this.#granted;
    const first = last ? [last.protocol] : [];
    const externalPort = last?.grant.externalPort ?? this.#parts.port;
    this.#granted = undefined;
    try {
      for (const protocol of new Set([...first, ...protocols])) {
        const grant = await protocol.map(this.#wish(externalPort, lifetimeSeconds), signal);
        if (!grant || grant.lifetimeSeconds === 0) continue;
        this.#granted = { protocol, grant };
        break;
      }
    } catch (error) {
      // What was granted before is still ours to take away.
      this.#granted ??= last;
      rethrowUnless(signal.aborted, error);
    }
    if (signal.aborted) return;
    this.#tell();
    const halfMs = (this.#granted?.grant.lifetimeSeconds ?? 0) * 500;
    const waitMs = halfMs === 0 ? retryMs : Math.max(halfMs, SHORTEST_RENEWAL_MS);
    this.#timer = setTimeout(() => this.start(), Math.min(waitMs, retryMs));
  }

  #tell(): void {
    const granted = this.#granted;
    this.#state = granted
      ? {
          status: "mapped",
          by: granted.protocol.name,
          externalIp: granted.grant.externalIp,
          externalPort: granted.grant.externalPort,
        }
      : { status: "refused" };
    this.#parts.onChanged?.(this.#state);
  }

  #wish(externalPort: number, lifetimeSeconds: number) {
    const { transport, port: internalPort } = this.#parts;
    return { transport, internalPort, externalPort, lifetimeSeconds };
  }
}

function rethrowUnless(isExpected: boolean, error: unknown): void {
  if (!isExpected) throw error;
}
