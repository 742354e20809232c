import {
  callbackLimits,
  type AccountChange,
  type AccountType,
  type CallbackAccount,
  type NewAccount,
} from "../../shared/api/callbacks.ts";
import type { DomainRecord } from "../../shared/api/domains.ts";
import { accountChangesOf } from "../lib/changes.ts";
import { judgeConfig, toConfigBody, toConfigValues } from "../lib/config-fields.ts";
import { onlyWrong, type FieldChecks } from "../lib/field-checks.ts";
import { accountFields } from "./account-fields.ts";
import {
  emptyRecord,
  judgeRecords,
  toRecord,
  toRecordValues,
  type RecordValues,
} from "./record-values.ts";

/** What stands in the form of an account. Ids are "" while nothing is chosen. */
export interface AccountValues {
  name: string;
  config: Record<string, unknown> & {
    records: RecordValues[];
    domain_account_id: string;
    node_id: string;
    transport: string;
  };
}

export function toAccountValues(type: AccountType, account?: CallbackAccount): AccountValues {
  const stored = account?.config ?? {};
  const records = (stored["records"] ?? []) as DomainRecord[];
  return {
    name: account?.name ?? "",
    config: {
      ...toConfigValues(accountFields[type], stored),
      records: account ? records.map(toRecordValues) : [emptyRecord()],
      domain_account_id: toText(stored["domain_account_id"]),
      node_id: toText(stored["node_id"]),
      transport: toText(stored["transport"]).toUpperCase(),
    },
  };
}

export function toAccountBody(
  type: AccountType,
  { name, config }: AccountValues,
  account?: CallbackAccount,
): NewAccount {
  const fields = toConfigBody(accountFields[type], config, account?.config);
  return { name: name.trim(), type, config: { ...fields, ...toRest(type, config, account) } };
}

/** What differs from the account with which the form began. */
export function toAccountChange(account: CallbackAccount, values: AccountValues): AccountChange {
  const { type } = account;
  return accountChangesOf(
    toAccountBody(type, toAccountValues(type, account), account),
    toAccountBody(type, values, account),
  );
}

/** What no list of fields describes. */
function toRest(
  type: AccountType,
  config: AccountValues["config"],
  account: CallbackAccount | undefined,
): Record<string, unknown> {
  if (type === "domain_account") {
    return {
      domain_account_id: Number(config.domain_account_id),
      records: config.records.map(toRecord),
    };
  }
  if (type !== "registry_node") return {};
  const hadTransport = account?.config["transport"] !== undefined;
  return {
    node_id: Number(config.node_id),
    ...(config.transport !== "" && { transport: config.transport }),
    ...(config.transport === "" && hadTransport && { transport: null }),
  };
}

/** What is wrong, by path. */
export function judgeAccount(
  type: AccountType,
  { name, config }: AccountValues,
  account: CallbackAccount | undefined,
  checks: FieldChecks,
): Record<string, string> {
  return {
    ...onlyWrong({
      name: checks.required(name) ?? checks.atMost(name, callbackLimits.nameLength),
      ...(type === "registry_node" && { "config.node_id": checks.required(config.node_id) }),
      ...(type === "domain_account" && {
        "config.domain_account_id": checks.required(config.domain_account_id),
      }),
    }),
    ...judgeConfig(accountFields[type], config, account?.config ?? {}, checks),
    ...(type === "domain_account" && judgeRecords(config.records, "config.records", checks)),
  };
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
