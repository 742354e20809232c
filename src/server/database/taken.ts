import { AppError } from "../lib/errors.ts";
import type { Dialect } from "./dialect.ts";

/** What to say of a name that something else has. */
export interface Taken {
  /** The sentence, for people. */
  error: string;
  /** The field of the body that gives the name. */
  path: string;
  /** What is wrong with the field. */
  message: string;
}

/** @throws AppError name_taken when `write` breaks a rule of the storage that something is unique */
export async function refuseTaken<T>(
  dialect: Dialect,
  { error, path, message }: Taken,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!dialect.isUniqueViolation(cause)) throw cause;
    throw new AppError("name_taken", error, { fields: [{ path, message }] });
  }
}
