import { isUtf8 } from "node:buffer";
import { AppError, invalidFields } from "../lib/errors.ts";

/** Largest body that is read, in bytes. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/**
 * The value of a JSON body; undefined for an empty one. Every string in it is text that can be
 * stored and sent on: well-formed Unicode without NUL.
 * @throws AppError invalid_json, invalid_request
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString("utf8");
  // What cannot be decoded leaves this character behind; it may also have been sent as such.
  if (text.includes("\uFFFD") && !isUtf8(bytes)) {
    throw new AppError("invalid_json", "The body is not valid UTF-8");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError("invalid_json", `The body is not valid JSON: ${whatIsWrong(text)}`);
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
  if (flaw) throw invalidFields([{ path: pathOf(place), message: flaw }]);
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
