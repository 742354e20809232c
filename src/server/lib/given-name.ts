import { invalidFields } from "./errors.ts";

const CONTROL = /\p{Cc}/u;

/** A name as it is stored. @throws AppError invalid_request about the field `name` */
export function readName(value: string, mostCharacters: number): string {
  const name = value.trim();
  const message = objectionTo(name, mostCharacters);
  if (message === undefined) return name;
  throw invalidFields([{ path: "name", message }]);
}

function objectionTo(name: string, mostCharacters: number): string | undefined {
  if (name === "") return "must not be empty";
  if (CONTROL.test(name)) return "must not contain control characters";
  if ([...name].length > mostCharacters) return `must have at most ${mostCharacters} characters`;
  return undefined;
}
