import { JsonPosition } from "./json-position.ts";
import { TemplateError } from "./template-error.ts";
import { applyFilters, escapeFor, type Place, type Position } from "./template-escape.ts";
import { isNumberName, parseTemplate, type Expression } from "./template-syntax.ts";
import { sampleValues, type TemplateValues } from "./template-values.ts";

export type { Place };

/** A template that was read; it can be used any number of times. */
export interface Template {
  /**
   * The text with its values, escaped for where they stand. Nothing in a value is read as a template.
   * @throws TemplateError when the result cannot be used: a line break in a header, a JSON text that
   *   is none
   */
  render(values: TemplateValues): string;
}

type Slot = string | { expression: Expression; position: Position };

/**
 * Reads a text with `{{ name }}` and `{{ name | filter }}` in it.
 * @throws TemplateError for what is wrong with it whatever the values are
 */
export function compileTemplate(text: string, place: Place): Template {
  const slots = place === "json" ? jsonSlots(text) : plainSlots(text, place);
  const template: Template = { render: (values) => render(slots, place, values) };
  if (place === "json") for (const values of sampleValues()) template.render(values);
  return template;
}

function plainSlots(text: string, place: Exclude<Place, "json">): Slot[] {
  return parseTemplate(text).map((part) =>
    "text" in part ? part.text : { expression: part.expression, position: place },
  );
}

function jsonSlots(text: string): Slot[] {
  const where = new JsonPosition();
  return parseTemplate(text).map((part) => {
    if ("text" in part) {
      where.read(part.text);
      return part.text;
    }
    const { expression } = part;
    where.expectValue(expression.source);
    if (where.inString) return { expression, position: "json string" };
    refuseBareText(expression);
    return { expression, position: "bare json" };
  });
}

/** Outside quotes a number may stand, or what a filter made fit to stand there. */
function refuseBareText({ source, head, filters }: Expression): void {
  const isNumber = "name" in head && isNumberName(head.name);
  if (isNumber && filters.every(({ name }) => name === "default")) return;
  if (filters.some(({ name }) => name === "json" || name === "raw")) return;
  const word = "name" in head ? head.name : JSON.stringify(head.literal);
  throw new TemplateError(
    `${source} stands outside quotes, where JSON has no place for a text`,
    `"{{ ${word} }}" or {{ ${word} | json }}`,
  );
}

function render(slots: readonly Slot[], place: Place, values: TemplateValues): string {
  const text = slots
    .map((slot) => {
      if (typeof slot === "string") return slot;
      const { head, filters } = slot.expression;
      const value = "name" in head ? values[head.name] : head.literal;
      return escapeFor(slot.position, applyFilters(value, filters));
    })
    .join("");
  if (place === "header" && /[\x00-\x08\x0a-\x1f\x7f]/.test(text)) {
    throw new TemplateError("A header cannot hold line breaks and other control characters");
  }
  if (place === "json") expectJson(text);
  return text;
}

function expectJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TemplateError(`The body is not JSON after substitution: ${error.message}`);
  }
}
