import { callbackLimits } from "../../shared/api/callbacks.ts";
import type { Database } from "../database/database.ts";
import { refuseTaken } from "../database/taken.ts";
import { readName as readGivenName } from "../lib/given-name.ts";

/** The name as it is stored. @throws AppError invalid_request */
export function readName(value: string): string {
  return readGivenName(value, callbackLimits.nameLength);
}

/** @throws AppError name_taken when `write` finds that there is one of this name */
export function refuseTakenName<T>(
  { dialect }: Database,
  kind: "account" | "task",
  name: string,
  write: () => Promise<T>,
): Promise<T> {
  const error = `There is a callback ${kind} named ${name} already`;
  const taken = { error, path: "name", message: `is the name of another ${kind}` };
  return refuseTaken(dialect, taken, write);
}
