import type { PreviewBody } from "../../shared/api/callbacks.ts";

type Place = PreviewBody["place"];

/** How a body is escaped: as its Content-Type says, without one as it begins. */
export function bodyPlace(headers: string, body: string): Place {
  const type = /^[ \t]*content-type[ \t]*:(.*)$/im.exec(headers)?.[1]?.trim().toLowerCase();
  if (type === undefined) return /^\s*(?:\[|\{(?!\{))/.test(body) ? "json" : "text";
  if (/^[^;]*[/+]json\b/.test(type)) return "json";
  return type.startsWith("application/x-www-form-urlencoded") ? "form" : "text";
}

export interface TextPosition {
  line: number;
  column: number;
}

/**
 * Where in a template stands what a refusal speaks of; undefined when it names no expression, or when
 * it has a position of its own.
 */
export function positionOf(template: string, message: string): TextPosition | undefined {
  const [expression] = /\{\{[^{}]*\}\}|#\{[^{}]*\}/.exec(message) ?? [];
  if (expression === undefined) return undefined;
  const words = expression.replaceAll(/\s+/g, " ").trim();
  // Between the signs any white space may stand, or none.
  const pattern = words
    .split(/( )|(?<=\{\{)|(?=\}\})/)
    .filter((part) => part !== undefined && part.trim() !== "")
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join(String.raw`\s*`);
  const at = template.search(new RegExp(pattern));
  if (at === -1) return undefined;
  const before = template.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
