import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { invalidFields } from "./errors.ts";
import { toFieldErrors } from "../../shared/field-errors.ts";

/**
 * A check of untrusted input against a schema. Nothing is converted; the same value comes back.
 * @throws AppError invalid_request naming each field that is wrong
 */
export type InputCheck<T> = (value: unknown) => T;

export function compileInput<S extends TSchema>(schema: S): InputCheck<Static<S>> {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return value;
    throw invalidFields(toFieldErrors(schema, compiled.Errors(value), value));
  };
}
