import { DomainAccountActionConfig, type DomainRecord } from "../../../shared/api/domains.ts";
import type { FieldError } from "../../../shared/field-errors.ts";
import type { Db } from "../../database/database.ts";
import type { RecordResult } from "../../domains/publication.ts";
import { DEFAULT_TEMPLATE, recordObjections } from "../../domains/record.ts";
import type { Exchange } from "../../lib/exchange.ts";
import type { Mapping } from "../change.ts";
import { TemplateError } from "../template-error.ts";
import { compileTemplate } from "../template.ts";
import { withMapping } from "../template-values.ts";
import { ActionError, type Action, type ActionInput, type TestFinding } from "./action.ts";
import { lastAnswer, toFinding } from "./finding.ts";

export interface RecordOrder {
  accountId: number;
  records: readonly DomainRecord[];
  address: Mapping;
  previous: Mapping | null;
  render: (template: string, address: Mapping) => string;
  /** Whose values these are. */
  publisher: string;
  exchange: Exchange;
}

/** Where records are kept. Every method but the last throws ProviderError and ExchangeError. */
export interface DomainDoor {
  publish(order: RecordOrder): Promise<RecordResult[]>;
  rehearse(order: RecordOrder): Promise<RecordResult[]>;
  test(
    accountId: number,
    exchange: Exchange,
    records: readonly DomainRecord[],
  ): Promise<TestFinding>;
  /** Whether there is such an account, which then stays until the transaction ends. */
  hold(accountId: number, transaction: Db): Promise<boolean>;
}

type Input = ActionInput<DomainAccountActionConfig>;

/** Keeps records of a domain account in step. All of them are one run. */
export function domainAccount(domains: DomainDoor): Action<DomainAccountActionConfig> {
  return {
    type: "domain_account",
    config: DomainAccountActionConfig,

    objections: ({ records }) => [...recordObjections(records), ...templateObjections(records)],

    async missing({ domain_account_id: id }, transaction) {
      if (await domains.hold(id, transaction)) return [];
      return [{ path: "domain_account_id", message: "is the id of no domain account" }];
    },

    async run(input) {
      const results = await domains.publish(toOrder(input));
      const failed = results.filter(({ error }) => error);
      const { httpStatus } = lastAnswer(input.exchange);
      const answer = httpStatus === undefined ? {} : { httpStatus };
      const responseBody = input.exchange.redact(toBody(results));
      if (failed.length > 0) throw failureOf(failed, results.length, { ...answer, responseBody });
      const isChanged = results.some(({ result }) => result === "updated");
      const status = isChanged ? "succeeded" : "skipped";
      return { status, note: toNote(results), responseBody, ...answer };
    },

    test: ({ config, exchange }) =>
      toFinding(() => domains.test(config.domain_account_id, exchange, config.records)),

    async dryRun(input) {
      const results = await domains.rehearse(toOrder(input));
      const states = (side: "before" | "after") => results.map((each) => toState(each, side));
      return {
        changed: results.some(({ result }) => result === "updated"),
        before: states("before"),
        after: states("after"),
      };
    },
  };
}

function toOrder({ config, mapping, previous, values, exchange }: Input): RecordOrder {
  return {
    accountId: config.domain_account_id,
    records: config.records,
    address: mapping,
    previous,
    render: (template, address) =>
      compileTemplate(template, "text").render(withMapping(values, address)),
    publisher: `rule:${values.rule_id}`,
    exchange,
  };
}

function templateObjections(records: readonly DomainRecord[]): FieldError[] {
  return records.flatMap(({ template = DEFAULT_TEMPLATE }, index) => {
    try {
      compileTemplate(template, "text");
      return [];
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return [{ path: `records.${index}.template`, message: error.message }];
    }
  });
}

/** Transient when one of them is: what is right already is not touched again. */
function failureOf(
  failed: readonly RecordResult[],
  count: number,
  answer: { httpStatus?: number; responseBody: string },
): ActionError {
  const errors = failed.flatMap(({ error }) => (error ? [error] : []));
  const first = errors.find(({ kind }) => kind === "transient") ?? errors[0];
  const sentences = failed.map(({ name, type, error }) => `${name} ${type}: ${error?.message}`);
  const waits = errors.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const details = waits.length === 0 ? answer : { ...answer, retryAfterMs: Math.max(...waits) };
  return new ActionError(
    first?.kind ?? "permanent",
    first?.errorClass ?? "failed",
    `${failed.length} of ${count} records failed. ${sentences.join("; ")}`,
    details,
  );
}

/** One line of JSON per record, as a list. */
function toBody(results: readonly RecordResult[]): string {
  return JSON.stringify({
    records: results.map(({ error, ...result }) => ({
      ...result,
      ...(error ? { code: error.errorClass, error: error.message } : {}),
    })),
  });
}

function toNote(results: readonly RecordResult[]): string {
  return results
    .map(({ name, type, result, after, note }) => {
      if (result === "skipped") return `${name} ${type}: skipped, ${note}`;
      if (after === null) return `${name} ${type}: ${result}`;
      return `${name} ${type}: ${result} (${after.join(", ")})`;
    })
    .join("; ");
}

function toState({ name, type, error, note, ...sides }: RecordResult, side: "before" | "after") {
  const why = error?.message ?? note;
  return { name, type, values: sides[side], ...(why === undefined ? {} : { note: why }) };
}
