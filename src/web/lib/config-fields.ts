import type { FieldChecks } from "./field-checks.ts";
import { onlyWrong } from "./field-checks.ts";

/** A field of the `config` of an account, as its form shows it. */
export interface ConfigField {
  name: string;
  kind: "text" | "secret" | "flag" | "choice";
  isRequired?: boolean;
  /** Which texts it takes. */
  form?: "word" | "digits" | "key" | "url" | "hostPort";
  /** An example of a value. */
  example?: string;
  /** Of a choice; the first is what an absent value means. */
  choices?: readonly string[];
  /** Of a flag: what an absent value means. */
  isOnByDefault?: boolean;
  isAdvanced?: boolean;
  most?: number;
}

/** What stands in the form: a text, a switch; null for a stored secret that is to go. */
export type ConfigValue = string | boolean | null;
export type ConfigValues = Record<string, ConfigValue>;

/** What the service answers in the place of a secret. */
export interface KeptSecret {
  set: boolean;
  /** Its last characters. */
  hint: string;
}

type Stored = Readonly<Record<string, unknown>>;

export function keptSecret(stored: Stored, name: string): KeptSecret | undefined {
  const value = stored[name] as KeptSecret | undefined;
  return value?.set ? value : undefined;
}

/** @param stored as the service shows it; nothing of a new account */
export function toConfigValues(fields: readonly ConfigField[], stored: Stored = {}): ConfigValues {
  return Object.fromEntries(
    fields.map((field) => {
      const value = stored[field.name];
      if (field.kind === "secret") return [field.name, ""];
      if (field.kind === "flag") return [field.name, value ?? field.isOnByDefault ?? false];
      if (field.kind === "choice") return [field.name, value ?? field.choices?.[0] ?? ""];
      // One that is sealed and cannot be opened any more is shown as secrets are.
      return [field.name, typeof value === "string" ? value : ""];
    }),
  ) as ConfigValues;
}

/**
 * What the service is told: empty secrets are left out and so kept, other fields that were emptied
 * are taken away by null.
 */
export function toConfigBody(
  fields: readonly ConfigField[],
  values: Readonly<Record<string, unknown>>,
  stored: Stored = {},
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, kind } of fields) {
    const value = values[name];
    const isEmpty = typeof value === "string" && value.trim() === "";
    if (value === null) body[name] = null;
    else if (!isEmpty) body[name] = typeof value === "string" ? value.trim() : value;
    else if (kind !== "secret" && stored[name] !== undefined) body[name] = null;
  }
  return body;
}

const KEY = /^[\x21-\x7e]+$/;
const DEFAULT_MOST = 1024;

/** What is wrong, by path from `config` on. */
export function judgeConfig(
  fields: readonly ConfigField[],
  values: Readonly<Record<string, unknown>>,
  stored: Stored,
  checks: FieldChecks,
): Record<string, string> {
  const judge = (field: ConfigField): string | undefined => {
    const value = values[field.name];
    const text = typeof value === "string" ? value : "";
    if (field.kind === "flag" || field.kind === "choice") return undefined;
    const isKept = field.kind === "secret" && keptSecret(stored, field.name) !== undefined;
    if (text.trim() === "") {
      return field.isRequired && !isKept ? checks.required("") : undefined;
    }
    return checks.atMost(text, field.most ?? DEFAULT_MOST) ?? judgeForm(field, text, checks);
  };
  return onlyWrong(
    Object.fromEntries(fields.map((field) => [`config.${field.name}`, judge(field)])),
  );
}

function judgeForm({ form }: ConfigField, text: string, checks: FieldChecks): string | undefined {
  switch (form) {
    case "word":
      return checks.pattern(text, /^[\w-]+$/, "word");
    case "digits":
      return checks.pattern(text, /^\d+$/, "digits");
    case "key":
      return checks.pattern(text, KEY, "noSpaces");
    case "url":
      return checks.url(text);
    case "hostPort":
      return checks.hostPort(text);
    default:
      return undefined;
  }
}
