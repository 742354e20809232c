import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { ProviderError } from "../../lib/provider-error.ts";
import type { FieldError } from "../../../shared/field-errors.ts";
import { toRecordName } from "../dns-name.ts";

/**
 * Reads what an API answered, as far as we use it; fields beside that are left in.
 * @returns a function that throws ProviderError when an answer has another shape
 */
export function shapeReader<S extends TSchema>(
  provider: string,
  schema: S,
): (value: unknown) => Static<S> {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return value;
    const sentence = `${provider} answered something unexpected: does base_url lead to its API?`;
    throw new ProviderError("transient", "unexpected_answer", sentence);
  };
}

/** What is wrong with a name in a config. */
export function nameObjections(path: string, value: string): FieldError[] {
  return toRecordName(value) === undefined ? [{ path, message: "must be a DNS name" }] : [];
}
