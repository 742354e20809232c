import { callbackLimits } from "../../shared/api/callbacks.ts";
import type { Database } from "../database/database.ts";
import { AppError } from "../lib/errors.ts";
import { readName as readGivenName } from "../lib/given-name.ts";

/** The name as it is stored. @throws AppError invalid_request */
export function readName(value: string): string {
  return readGivenName(value, callbackLimits.nameLength);
}

/** @throws AppError name_taken when `write` finds that there is one of this name */
export async function refuseTakenName<T>(
  database: Database,
  kind: "account" | "task",
  name: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!database.dialect.isUniqueViolation(error)) throw error;
    throw new AppError("name_taken", `There is a callback ${kind} named ${name} already`, {
      fields: [{ path: "name", message: `is the name of another ${kind}` }],
    });
  }
}
