import { compileTemplate, type Template } from "./template.ts";
import { TemplateError } from "./template-error.ts";
import type { TemplateValues } from "./template-values.ts";

export interface HeaderTemplate {
  name: string;
  value: Template;
}

/** RFC 9110 §5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
/** What the connection itself decides (RFC 9110 §7.6.1), and what names another target. */
const refused: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);

/**
 * Reads one `Name: value` a line; the values are templates.
 * @throws TemplateError naming the line
 */
export function parseHeadersText(text: string): HeaderTemplate[] {
  const headers: HeaderTemplate[] = [];
  const seen = new Set<string>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === "") continue;
    const place = `Line ${index + 1}`;
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim();
    if (!TOKEN.test(name)) throw new TemplateError(`${place} is not "Name: value"`);
    const key = name.toLowerCase();
    if (refused.has(key) || key.startsWith("proxy-")) {
      throw new TemplateError(`${place}: the header ${name} cannot be set`);
    }
    if (seen.has(key)) throw new TemplateError(`${place}: the header ${name} is set twice`);
    seen.add(key);
    headers.push({ name, value: compileAt(place, line.slice(colon + 1).trim()) });
  }
  return headers;
}

/** @throws TemplateError when a value would break the line */
export function renderHeaders(
  headers: readonly HeaderTemplate[],
  values: TemplateValues,
): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name, value.render(values)]));
}

function compileAt(place: string, text: string): Template {
  try {
    return compileTemplate(text, "header");
  } catch (error) {
    if (error instanceof TemplateError) throw new TemplateError(`${place}: ${error.message}`);
    throw error;
  }
}
