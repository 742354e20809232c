import { isDeepStrictEqual } from "node:util";
import { isObject } from "./provider-json.ts";

/** Where two JSON values differ: `a.b`, `list.0.c`; an empty word when they differ as wholes. */
export function differingPaths(a: unknown, b: unknown, path = ""): string[] {
  if (isDeepStrictEqual(a, b)) return [];
  const [left, right] = [toEntries(a), toEntries(b)];
  if (!left || !right || Array.isArray(a) !== Array.isArray(b)) return [path];
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].flatMap((key) =>
    differingPaths(left.get(key), right.get(key), path === "" ? key : `${path}.${key}`),
  );
}

function toEntries(value: unknown): Map<string, unknown> | undefined {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}
