import type { FieldError } from "../../shared/field-errors.ts";
import { AppError, invalidFields } from "./errors.ts";

/** What is wrong with the `config` of an account. @param check throws AppError for a wrong shape */
export function shapeObjections(check: () => void): FieldError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof AppError && error.fields) return error.fields;
    throw error;
  }
}

/** @param fields paths begin at the `config` @throws AppError invalid_request unless there are none */
export function refuseConfig(fields: readonly FieldError[]): void {
  if (fields.length === 0) return;
  throw invalidFields(
    fields.map(({ path, message }) => ({
      path: path === "" ? "config" : `config.${path}`,
      message: path === "" ? message.replace("The body", "It") : message,
    })),
  );
}
