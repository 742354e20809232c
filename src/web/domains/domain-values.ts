import type {
  DomainAccount,
  DomainAccountChange,
  NewDomainAccount,
  ProviderName,
} from "../../shared/api/domains.ts";
import { accountChangesOf } from "../lib/changes.ts";
import { toConfigBody, toConfigValues, type ConfigValues } from "../lib/config-fields.ts";
import { providerFields } from "./provider-fields.ts";

/** What stands in the form of a domain account. */
export interface DomainValues {
  name: string;
  config: ConfigValues;
}

export function toDomainValues(provider: ProviderName, account?: DomainAccount): DomainValues {
  const config = toConfigValues(providerFields[provider], account?.config);
  return { name: account?.name ?? "", config };
}

export function toDomainBody(
  provider: ProviderName,
  { name, config }: DomainValues,
  account?: DomainAccount,
): NewDomainAccount {
  const fields = toConfigBody(providerFields[provider], config, account?.config);
  return { name: name.trim(), provider, config: fields };
}

/** What differs from the account with which the form began. */
export function toDomainChange(account: DomainAccount, values: DomainValues): DomainAccountChange {
  const { provider } = account;
  return accountChangesOf(
    toDomainBody(provider, toDomainValues(provider, account), account),
    toDomainBody(provider, values, account),
  );
}
