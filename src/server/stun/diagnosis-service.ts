import type { StunDiagnosis, StunDiagnosisBody } from "../../shared/api/stun-diagnosis.ts";
import { AppError, invalidFields } from "../lib/errors.ts";
import { parseHostPort, type HostPort } from "../lib/host-port.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { knownServers } from "./known-servers.ts";

/** Each takes some ports, and up to 15 s. */
const AT_ONCE = 3;
const BUSY_SECONDS = 10;

export interface DiagnosisServiceParts {
  diagnosis: Pick<Diagnosis, "run">;
  /** Of the settings; empty: the built-in list. */
  servers: readonly HostPort[];
}

/** Diagnoses that are asked for over HTTP: few at a time. */
export class DiagnosisService {
  readonly #diagnosis: Pick<Diagnosis, "run">;
  readonly #servers: readonly HostPort[];
  readonly #stopping = new AbortController();
  #running = 0;

  constructor({ diagnosis, servers }: DiagnosisServiceParts) {
    this.#diagnosis = diagnosis;
    this.#servers = servers;
  }

  /** @throws AppError invalid_request, rate_limited, not_ready; the reason of `gone` */
  async run(body: StunDiagnosisBody, gone: AbortSignal): Promise<StunDiagnosis> {
    const { transport } = body;
    const named = toServers(body.stun_servers ?? []);
    const servers = named.length > 0 ? named : this.#ownServers(transport);
    this.#stopping.signal.throwIfAborted();
    if (this.#running >= AT_ONCE) {
      const sentence = `${AT_ONCE} diagnoses are under way; try again in ${BUSY_SECONDS} s`;
      throw new AppError("rate_limited", sentence, { retryAfterSeconds: BUSY_SECONDS });
    }
    this.#running++;
    try {
      const signal = AbortSignal.any([gone, this.#stopping.signal]);
      return await this.#diagnosis.run({ transport, servers, localAddress: null }, signal);
    } finally {
      this.#running--;
    }
  }

  /** Ends what is under way. */
  stop(): void {
    const reason = new AppError("not_ready", "The service is stopping", { retryAfterSeconds: 2 });
    this.#stopping.abort(reason);
  }

  #ownServers(transport: "udp" | "tcp"): readonly HostPort[] {
    return this.#servers.length > 0 ? this.#servers : knownServers(transport);
  }
}

function toServers(texts: readonly string[]): HostPort[] {
  const servers = texts.map((text) => parseHostPort(text.trim()));
  const faults = servers.flatMap((server, index) =>
    server ? [] : [{ path: `stun_servers.${index}`, message: "must be host:port" }],
  );
  if (faults.length > 0) throw invalidFields(faults);
  return servers.filter((server) => server !== undefined);
}
