/**
 * What stands in an answer: a plain value or a list of such, anything at all, an object with just
 * these names, or a list that is not empty and in which each is such an object.
 */
export type Shape = "plain" | "anything" | { [name: string]: Shape } | Shape[];

/** Names, separated by commas, with plain values; and those where more is to be said. */
export function fields(names: string, more: Record<string, Shape> = {}): Record<string, Shape> {
  const plain = names.split(", ").map((name) => [name, "plain"] as const);
  return { ...Object.fromEntries(plain), ...more };
}

/** The shape that a value has; where anything is allowed, that. */
export function shapeOf(value: unknown, allowed?: Shape): Shape {
  if (allowed === "anything") return "anything";
  if (typeof value !== "object" || value === null) return "plain";
  if (Array.isArray(value)) return shapeOfList(value, Array.isArray(allowed) ? allowed : undefined);
  const named = typeof allowed === "object" && !Array.isArray(allowed) ? allowed : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shapeOf(each, named[name])]),
  );
}

/** Each shape in the list once. */
function shapeOfList(list: readonly unknown[], allowed: readonly Shape[] | undefined): Shape {
  const shapes = list.map((each) => shapeOf(each, allowed?.[0]));
  if (!allowed && shapes.every((shape) => shape === "plain")) return "plain";
  return [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
}
