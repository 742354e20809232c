import { providerConfigs, providerSecrets, type ProviderName } from "../../shared/api/domains.ts";
import type { FieldError } from "../../shared/field-errors.ts";
import { refuseConfig, shapeObjections } from "../lib/config-objections.ts";
import { compileInput, type InputCheck } from "../lib/input.ts";
import type { SealedBox } from "../lib/sealed-box.ts";
import {
  mergeFields,
  openFields,
  sealFields,
  showFields,
  type Fields,
} from "../lib/sealed-fields.ts";
import { placeOf, type AccountRecord } from "./account.ts";
import { providers } from "./providers/list.ts";
import type { DnsProvider } from "./providers/provider.ts";

const checks = new Map(
  Object.entries(providerConfigs).map(([name, schema]): [string, InputCheck<unknown>] => [
    name,
    compileInput(schema),
  ]),
);

/** The settings of accounts: checked, sealed, opened and shown, by what their providers say. */
export class AccountConfigs {
  readonly #box: SealedBox;

  constructor(box: SealedBox) {
    this.#box = box;
  }

  /** @throws AppError invalid_request naming each field that is wrong */
  check(provider: ProviderName, config: Fields): void {
    refuseConfig(objectionsTo(provider, config));
  }

  /** The open settings after a change of some. @throws AppError invalid_request for what is lost */
  merge({ id, provider, config }: AccountRecord, given: Fields): Fields {
    const secrets = providerSecrets[provider];
    const names = { sealed: secrets, secrets };
    const { fields, lost } = mergeFields(this.#box, config, given, names, placeOf(id));
    refuseConfig(lost);
    return fields;
  }

  seal(id: number, provider: ProviderName, config: Fields): Fields {
    return sealFields(this.#box, config, providerSecrets[provider], placeOf(id));
  }

  /** @throws SealError */
  open({ id, provider, config }: AccountRecord): Fields {
    return openFields(this.#box, config, providerSecrets[provider], placeOf(id));
  }

  /** The secrets among open settings. */
  secretsOf(provider: ProviderName, config: Fields): string[] {
    return providerSecrets[provider].flatMap((name) => {
      const value = config[name];
      return typeof value === "string" ? [value] : [];
    });
  }

  show({ id, provider, config }: AccountRecord): Fields {
    const secrets = providerSecrets[provider];
    return showFields(this.#box, config, secrets, secrets, placeOf(id));
  }
}

/** A provider for configs that were checked. */
export function providerOf(name: ProviderName): DnsProvider<Fields> {
  return providers[name];
}

function objectionsTo(provider: ProviderName, config: Fields): FieldError[] {
  const faults = shapeObjections(() => checks.get(provider)?.(config));
  return faults.length > 0 ? faults : providerOf(provider).objections(config);
}
