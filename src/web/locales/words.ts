import type { words as accounts } from "./en/accounts.ts";
import type { words as find } from "./en/find.ts";
import type { words as phrases } from "./en/phrases.ts";
import type { words as errors } from "./en/errors.ts";
import type { words as shell } from "./en/shell.ts";
import type { words as status } from "./en/status.ts";
import type { words as callbackAccounts } from "./en/callback-accounts.ts";
import type { words as callbackRuns } from "./en/callback-runs.ts";
import type { words as callbackTasks } from "./en/callback-tasks.ts";
import type { words as diagnosis } from "./en/diagnosis.ts";
import type { words as domains } from "./en/domains.ts";
import type { words as editing } from "./en/editing.ts";
import type { words as stun } from "./en/stun.ts";
import type { words as admin } from "./en/admin.ts";
import type { words as myNodes } from "./en/my-nodes.ts";
import type { words as publications } from "./en/publications.ts";
import type { words as settings } from "./en/settings.ts";
import type { words as setUp } from "./en/set-up.ts";

/** The words of every feature; English says which there are. */
export interface AllWords {
  accounts: typeof accounts;
  find: typeof find;
  phrases: typeof phrases;
  errors: typeof errors;
  shell: typeof shell;
  status: typeof status;
  "my-nodes": typeof myNodes;
  "set-up": typeof setUp;
  admin: typeof admin;
  publications: typeof publications;
  settings: typeof settings;
  stun: typeof stun;
  editing: typeof editing;
  domains: typeof domains;
  diagnosis: typeof diagnosis;
  "callback-tasks": typeof callbackTasks;
  "callback-runs": typeof callbackRuns;
  "callback-accounts": typeof callbackAccounts;
}

export type Feature = keyof AllWords;

/** The same keys with other words. Chinese has no singular of its own. */
export type Translated<Words> = {
  [Key in keyof Words as Key extends `${string}_one` ? never : Key]: Words[Key] extends string
    ? string
    : Translated<Words[Key]>;
};

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "phrases";
    resources: AllWords;
  }
}
