import type { ProviderName, RecordType } from "../../../shared/api/domains.ts";
import type { FieldError } from "../../../shared/field-errors.ts";
import type { Exchange } from "../../lib/exchange.ts";
import type { DnsTransport } from "../dns-transport.ts";
import type { HeldRecord, RecordChange } from "../record-plan.ts";

/** What a provider does its work with. */
export interface ProviderContext {
  /** All that is sent is recorded there. */
  exchange: Exchange;
  dns: DnsTransport;
  /** Milliseconds since 1970. */
  now: () => number;
}

export interface TestFinding {
  ok: boolean;
  message: string;
  details?: unknown;
}

/**
 * The records of one account. Every method throws DomainError and ExchangeError; names are in their
 * one spelling.
 */
export interface Zone {
  /** Names that do not lie in it are refused before anything is sent; undefined: not known here. */
  readonly apex: string | undefined;
  /** Undefined: what it holds cannot be read. */
  read?(stage: "read" | "verify", name: string, type: RecordType): Promise<HeldRecord[]>;
  /** Applies one change, or all of them at once when the zone `writesTogether`. */
  write(changes: readonly RecordChange[]): Promise<void>;
  /** Whether several changes become visible together, or not at all. */
  readonly writesTogether: boolean;
  /** Only reads. */
  test(): Promise<TestFinding>;
}

/** Where records are kept. One file per provider, listed in `providers/list.ts`. */
export interface DnsProvider<C = unknown> {
  readonly name: ProviderName;
  /** The types of records that it can hold. */
  readonly types: readonly RecordType[];
  /** What is wrong with a config of the right shape; paths begin at the config. */
  objections(config: C): FieldError[];
  /** @param config with its secrets open */
  open(config: C, context: ProviderContext): Zone;
}
