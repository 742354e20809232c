import { ApiError } from "./api-error.ts";
import { focusFirstError, type FocusableForm } from "./use-checked-form.ts";

/** Of a form of the library: paths are written alike there and in refusals, `connections.0.port`. */
interface ErrorForm extends FocusableForm {
  setErrors(errors: Record<string, string>): void;
}

/**
 * Puts what a refusal says about single fields beside them, and the focus into the first.
 * @returns what is left to be said above the form; undefined when the fields say it all
 */
export function showFieldErrors(
  form: ErrorForm,
  error: unknown,
  knownPaths: readonly string[],
): unknown {
  if (!(error instanceof ApiError) || error.fields.length === 0) return error;
  const known = error.fields.filter(({ path }) => knownPaths.some((each) => covers(each, path)));
  const shown = Object.fromEntries(known.map(({ path, message }) => [path, toSentence(message)]));
  form.setErrors(shown);
  focusFirstError(form)(shown);
  return known.length === error.fields.length ? undefined : error;
}

/** Whether `path` is `known` or something inside it. */
function covers(known: string, path: string): boolean {
  return path === known || path.startsWith(`${known}.`);
}

/** "must be a date" stands alone under its field. */
function toSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
