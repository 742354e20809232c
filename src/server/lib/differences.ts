import { isDeepStrictEqual } from "node:util";
import { isObject } from "./provider-json.ts";

export interface Difference {
  /** `a.b`, `list.0.c`; an empty word when the values differ as wholes. */
  path: string;
  /** Whether only the second value has something there. */
  isAddition: boolean;
}

/** Where two JSON values differ. */
export function differences(before: unknown, after: unknown, path = ""): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [left, right] = [toEntries(before), toEntries(after)];
  if (!left || !right || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, isAddition: before === undefined }];
  }
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].flatMap((key) =>
    differences(left.get(key), right.get(key), path === "" ? key : `${path}.${key}`),
  );
}

function toEntries(value: unknown): Map<string, unknown> | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}
