import { accountSecrets, type AccountType } from "../../shared/api/callbacks.ts";
import type { FieldError } from "../../shared/field-errors.ts";
import type { Db } from "../database/database.ts";
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
import { placeOf, sealedNamesOf, type AccountRecord } from "./account.ts";
import type { Action } from "./actions/action.ts";

/** What an account can do, with everything that is needed to do it. */
export interface OpenAccount {
  action: Action;
  config: Fields;
  /** Values that nobody may see. */
  secrets: string[];
}

interface KnownAccount {
  type: AccountType;
  text: string;
  open: OpenAccount;
}

const ACCOUNTS_KEPT = 1_000;

/** The settings of accounts: checked, sealed, opened, shown, by what their actions say. */
export class AccountConfigs {
  readonly #actions: ReadonlyMap<AccountType, Action>;
  readonly #box: SealedBox;
  readonly #opened = new Map<number, KnownAccount>();
  readonly #checks: ReadonlyMap<AccountType, InputCheck<unknown>>;

  constructor(actions: ReadonlyMap<AccountType, Action>, box: SealedBox) {
    this.#actions = actions;
    this.#box = box;
    this.#checks = new Map([...actions].map(([type, { config }]) => [type, compileInput(config)]));
  }

  /** @throws AppError invalid_request naming each field that is wrong */
  check(type: AccountType, config: Fields): void {
    refuseConfig(this.#objections(type, config));
  }

  /** Of a config that was checked. @throws AppError invalid_request for what it names and is gone */
  async checkReferences(type: AccountType, config: Fields, transaction: Db): Promise<void> {
    refuseConfig((await this.#actionOf(type).missing?.(config, transaction)) ?? []);
  }

  /** The open settings after a change of some. @throws AppError invalid_request for what is lost */
  merge({ id, type, config }: AccountRecord, given: Fields): Fields {
    const names = { sealed: sealedNamesOf(type), secrets: accountSecrets[type] };
    const { fields, lost } = mergeFields(this.#box, config, given, names, placeOf(id));
    refuseConfig(lost);
    return fields;
  }

  seal(id: number, type: AccountType, config: Fields): Fields {
    return sealFields(this.#box, config, sealedNamesOf(type), placeOf(id));
  }

  /** @throws SealError */
  open(account: AccountRecord): OpenAccount {
    const known = this.#opened.get(account.id);
    if (known?.text === account.configText && known.type === account.type) return known.open;
    const open = this.#openAnew(account);
    if (this.#opened.size >= ACCOUNTS_KEPT) this.#opened.clear();
    this.#opened.set(account.id, { type: account.type, text: account.configText, open });
    return open;
  }

  #openAnew(account: AccountRecord): OpenAccount {
    const action = this.#actionOf(account.type);
    const config = this.#open(account);
    const secrets = accountSecrets[account.type].flatMap((name) => {
      const value = config[name];
      return typeof value === "string" ? [value] : [];
    });
    return { action, config, secrets };
  }

  show({ id, type, config }: AccountRecord): Fields {
    return showFields(this.#box, config, sealedNamesOf(type), accountSecrets[type], placeOf(id));
  }

  #objections(type: AccountType, config: Fields): FieldError[] {
    const faults = shapeObjections(() => this.#checks.get(type)?.(config));
    return faults.length > 0 ? faults : this.#actionOf(type).objections(config);
  }

  #open({ id, type, config }: AccountRecord): Fields {
    return openFields(this.#box, config, sealedNamesOf(type), placeOf(id));
  }

  #actionOf(type: AccountType): Action {
    const action = this.#actions.get(type);
    if (!action) throw new Error(`there is no action ${type}`);
    return action;
  }
}
