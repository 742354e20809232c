import { sentenceOf, type FieldError } from "./field-errors.ts";

/** Why a body is refused, in a sentence; `fields` when it is JSON with a string that is no text. */
export class JsonTextError extends Error {
  readonly fields: FieldError[] | undefined;

  constructor(message: string, fields?: FieldError[]) {
    super(message);
    this.fields = fields;
  }
}

/**
 * The value of a body. Every string in it is text that can be stored and sent on: well-formed
 * Unicode without NUL.
 * @param text decoded from valid UTF-8
 * @throws JsonTextError
 */
export function parseJsonText(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonTextError(`The body is not valid JSON: ${whatIsWrong(text)}`);
  }
  // Valid UTF-8 can hold neither a lone surrogate nor, within a JSON string, a bare NUL.
  if (text.includes("\\u")) refuseBadStrings(value);
  return value;
}

/** A value of the document with the way to it, linked upwards. */
interface Place {
  value: unknown;
  key: string;
  parent: Place | undefined;
}

/** Iterative, because a body can be nested deeper than the stack. */
function refuseBadStrings(root: unknown): void {
  const open: Place[] = [{ value: root, key: "", parent: undefined }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value } = place;
    if (typeof value === "string") refuseBadText(value, place);
    if (typeof value !== "object" || value === null) continue;
    for (const [key, child] of Object.entries(value as Record<string, unknown>)) {
      const below = { value: child, key, parent: place };
      if (!Array.isArray(value)) refuseBadText(key, below);
      open.push(below);
    }
  }
}

function refuseBadText(text: string, place: Place): void {
  const flaw = flawOf(text);
  if (!flaw) return;
  const fields = [{ path: pathOf(place), message: flaw }];
  throw new JsonTextError(sentenceOf(fields), fields);
}

/** What keeps a word from being text, in words; undefined when nothing does. */
export function flawOf(text: string): string | undefined {
  if (text.includes("\0")) return "must not contain the character NUL";
  return text.isWellFormed() ? undefined : "must be well-formed Unicode, without lone surrogates";
}

const PATH_STEPS = 16;

function pathOf(place: Place): string {
  const steps: string[] = [];
  for (let at: Place | undefined = place; at?.parent; at = at.parent) steps.push(at.key);
  return steps.toReversed().slice(0, PATH_STEPS).join(".").toWellFormed().replaceAll("\0", "�");
}

/** Finds the first character that cannot stand where it does. */
function whatIsWrong(text: string): string {
  if (canGoOn(text)) return "it ends too early";
  let fine = 0;
  let wrong = text.length;
  while (wrong - fine > 1) {
    const middle = (fine + wrong) >> 1;
    if (canGoOn(text.slice(0, middle))) fine = middle;
    else wrong = middle;
  }
  const before = text.slice(0, fine);
  const line = before.split("\n").length;
  const column = fine - before.lastIndexOf("\n");
  const character = JSON.stringify(String.fromCodePoint(text.codePointAt(fine) ?? 0));
  return `unexpected ${character} at line ${line}, column ${column}`;
}

/** Whether some continuation of `text` (or none) is JSON: the parser stopped only at its end. */
function canGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = /at position (\d+)/.exec(message)?.[1];
    return position === undefined
      ? message.startsWith("Unexpected end")
      : Number(position) >= text.length;
  }
}
