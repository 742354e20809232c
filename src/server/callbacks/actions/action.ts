import type { TSchema } from "typebox";
import type { FieldError } from "../../../shared/field-errors.ts";
import type { Db } from "../../database/database.ts";
import type { Exchange } from "../../lib/exchange.ts";
import { ProviderError } from "../../lib/provider-error.ts";
import type { Mapping } from "../change.ts";
import type { TemplateValues } from "../template-values.ts";

export interface ActionInput<C = unknown> {
  /** Secrets are open. */
  config: C;
  mapping: Mapping;
  previous: Mapping | null;
  values: TemplateValues;
  /** All that is sent goes through it and is recorded there. */
  exchange: Exchange;
  /** The id is 0 in a test or a dry run; the first attempt is 1. */
  run: { id: number; attempt: number };
  /** Milliseconds since 1970. */
  now: () => number;
}

/** `skipped`: the target says the right thing already, or has nothing to do with this change. */
export interface ActionOutcome {
  status: "succeeded" | "skipped";
  note?: string;
  httpStatus?: number;
  responseBody?: string;
}

export interface TestFinding {
  ok: boolean;
  message: string;
  details?: unknown;
}

export interface DryRun {
  changed: boolean;
  before: unknown;
  after: unknown;
}

/** What a callback account of one type does. */
export interface Action<C = unknown> {
  readonly type: string;
  /** Of the account's `config`, as it is written. */
  readonly config: TSchema;
  /** What is wrong with a config of the right shape; paths begin at the config. */
  objections(config: C): FieldError[];
  /** What a config names that is not there; what is there stays until the transaction ends. */
  missing?(config: C, transaction: Db): Promise<FieldError[]>;
  /** @throws ActionError, ProviderError, ExchangeError, TemplateError */
  run(input: ActionInput<C>): Promise<ActionOutcome>;
  /** Only reads at the target. Never throws for what the target does. */
  test(input: ActionInput<C>): Promise<TestFinding>;
  /** Reads and computes. @throws ActionError, ProviderError, ExchangeError, TemplateError */
  dryRun(input: ActionInput<C>): Promise<DryRun>;
}

/** Why a target is not in step, where the provider itself did not say so. */
export class ActionError extends ProviderError {}
