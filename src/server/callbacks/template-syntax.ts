import { nearest, TemplateError } from "./template-error.ts";
import type { TemplateValues } from "./template-values.ts";

export type TemplateName = keyof TemplateValues;

const kinds: Readonly<Record<TemplateName, "text" | "number">> = {
  public_ip: "text",
  public_port: "number",
  public_address: "text",
  previous_ip: "text",
  previous_port: "number",
  rule_id: "number",
  rule_name: "text",
  transport: "text",
  event: "text",
  changed: "text",
  run_id: "number",
  timestamp: "text",
  ip4p: "text",
};
const names = Object.keys(kinds) as TemplateName[];

/** What other programs of this kind write. */
const aliases: Readonly<Record<string, TemplateName>> = {
  ip: "public_ip",
  port: "public_port",
  ruleName: "rule_name",
};

export type Filter =
  | { name: "json" | "url" | "base64" | "raw" }
  | { name: "default"; fallback: string };
const filterNames = ["json", "url", "base64", "raw", "default"] as const;

/** What stands between the braces. */
export interface Expression {
  /** As written, for messages. */
  source: string;
  head: { name: TemplateName } | { literal: string };
  filters: readonly Filter[];
}

export type Part = { text: string } | { expression: Expression };

/** A token of an expression: a name, a text in quotes, or a sign. */
const TOKEN = /\s*(?:([A-Za-z_][\w.]*)|("(?:[^"\\]|\\.)*")|(\||\(|\)|\}\}))/y;
const OPENING = /\{\{|#\{\s*([A-Za-z]\w*)\s*\}/g;

/** Whether a name stands for a number (or nothing) rather than a text. */
export function isNumberName(name: TemplateName): boolean {
  return kinds[name] === "number";
}

/** @throws TemplateError */
export function parseTemplate(text: string): Part[] {
  const parts: Part[] = [];
  let at = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    if (found.index > at) parts.push({ text: text.slice(at, found.index) });
    const alias = found[1];
    if (alias === undefined) {
      const reader = new ExpressionReader(text, OPENING.lastIndex);
      parts.push({ expression: reader.read() });
      OPENING.lastIndex = reader.at;
    } else {
      parts.push({ expression: aliased(found[0], alias) });
    }
    at = OPENING.lastIndex;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

function aliased(source: string, alias: string): Expression {
  const name = Object.hasOwn(aliases, alias) ? aliases[alias] : undefined;
  if (name !== undefined) return { source, head: { name }, filters: [] };
  const meant = nearest(alias, names);
  throw new TemplateError(`${source} is unknown`, meant && `{{ ${meant} }}`);
}

class ExpressionReader {
  /** Behind what was read. */
  at: number;
  readonly #text: string;
  readonly #from: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#from = at;
    this.at = at;
  }

  read(): Expression {
    const head = this.#head();
    const filters: Filter[] = [];
    let sign = this.#next();
    while (sign === "|") {
      const name = this.#next();
      if (!/^\w/.test(name)) throw this.#unreadable();
      sign = this.#next();
      const fallback = sign === "(" ? this.#argument() : undefined;
      if (fallback !== undefined) sign = this.#next();
      filters.push(toFilter(name, fallback));
    }
    if (sign !== "}}") throw this.#unreadable();
    return { source: `{{${this.#text.slice(this.#from, this.at)}`, head, filters };
  }

  #head(): Expression["head"] {
    const token = this.#next();
    if (token.startsWith('"')) return { literal: this.#literal(token) };
    const name = names.find((each) => each === token);
    if (name) return { name };
    if (!/^\w/.test(token)) throw this.#unreadable();
    throw new TemplateError(`{{ ${token} }} is unknown`, nearest(token, names));
  }

  #argument(): string {
    const token = this.#next();
    if (!token.startsWith('"') || this.#next() !== ")") throw this.#unreadable();
    return this.#literal(token);
  }

  #literal(token: string): string {
    try {
      return JSON.parse(token) as string;
    } catch (error) {
      if (error instanceof SyntaxError) throw this.#unreadable();
      throw error;
    }
  }

  #next(): string {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.#text);
    if (!found) throw this.#unreadable();
    this.at = TOKEN.lastIndex;
    return found[1] ?? found[2] ?? found[3] ?? "";
  }

  #unreadable(): TemplateError {
    const shown = this.#text.slice(this.#from - 2, this.#from + 30).split("\n")[0] ?? "";
    return new TemplateError(
      `${shown} cannot be read: {{ name }} or {{ name | filter }} is expected`,
    );
  }
}

function toFilter(name: string, fallback: string | undefined): Filter {
  const known = filterNames.find((each) => each === name);
  if (!known) {
    const filters = filterNames.join(", ");
    throw new TemplateError(
      `The filter ${name} is unknown; there are ${filters}`,
      nearest(name, filterNames),
    );
  }
  if (known === "default") {
    if (fallback !== undefined) return { name: known, fallback };
    throw new TemplateError("The filter default needs a text", 'default("…")');
  }
  if (fallback === undefined) return { name: known };
  throw new TemplateError(`The filter ${known} takes no text`);
}
