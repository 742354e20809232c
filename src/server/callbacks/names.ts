import { callbackLimits } from "../../shared/api/callbacks.ts";
import type { Database } from "../database/database.ts";
import { AppError, invalidFields } from "../lib/errors.ts";

const CONTROL = /\p{Cc}/u;

/** The name as it is stored. @throws AppError invalid_request */
export function readName(value: string): string {
  const name = value.trim();
  const message = objectionTo(name);
  if (message === undefined) return name;
  throw invalidFields([{ path: "name", message }]);
}

function objectionTo(name: string): string | undefined {
  if (name === "") return "must not be empty";
  if (CONTROL.test(name)) return "must not contain control characters";
  if ([...name].length > callbackLimits.nameLength) {
    return `must have at most ${callbackLimits.nameLength} characters`;
  }
  return undefined;
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
