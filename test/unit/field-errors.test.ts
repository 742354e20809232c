import { Type, type TSchema } from "typebox";
import { expect, test } from "vitest";
import { AppError } from "../../src/server/lib/errors.ts";
import type { FieldError } from "../../src/shared/field-errors.ts";
import { compileInput } from "../../src/server/lib/input.ts";

function faultsOf(schema: TSchema, value: unknown): FieldError[] {
  try {
    compileInput(schema)(value);
  } catch (error) {
    if (error instanceof AppError) return error.fields ?? [];
    throw error;
  }
  return [];
}

/** What is said about the field `a`. */
function saidOf(schema: TSchema, value: unknown): string[] {
  return faultsOf(Type.Object({ a: schema }), { a: value }).map(({ path, message }) =>
    path === "a" ? message : `${path}: ${message}`,
  );
}

test.each<[string, TSchema, unknown, string[]]>([
  ["text", Type.String(), 1, ["must be text"]],
  ["text that is empty", Type.String({ minLength: 1 }), "", ["must not be empty"]],
  ["short text", Type.String({ minLength: 8 }), "x", ["must have at least 8 characters"]],
  ["long text", Type.String({ maxLength: 3 }), "xxxx", ["must have at most 3 characters"]],
  ["a pattern", Type.String({ pattern: "^[a-z]+$" }), "A", ["must have the form ^[a-z]+$"]],
  ["a number", Type.Number(), {}, ["must be a number"]],
  ["a number in quotes", Type.Number(), "1", ["must be a number, not text"]],
  ["a whole number", Type.Integer({ minimum: 1 }), 1.5, ["must be a whole number of at least 1"]],
  ["a small number", Type.Number({ minimum: 0 }), -1, ["must be a number of at least 0"]],
  ["a large number", Type.Number({ maximum: 9 }), 10, ["must be a number of at most 9"]],
  ["a range", Type.Integer({ minimum: 1, maximum: 9 }), 0, ["must be a whole number from 1 to 9"]],
  ["an open range", Type.Number({ exclusiveMinimum: 0 }), 0, ["must be a number above 0"]],
  ["a flag", Type.Boolean(), "true", ["must be true or false"]],
  ["a list of words", Type.Enum(["x", "y", "z"]), "w", ["must be x, y or z"]],
  ["one word", Type.Literal("x"), "y", ["must be x"]],
  [
    "alternatives",
    Type.Union([Type.Literal(0), Type.Literal(1), Type.Boolean()]),
    2,
    ["must be 0, 1 or true or false"],
  ],
  ["text or null", Type.Union([Type.String(), Type.Null()]), 1, ["must be text or null"]],
  ["a list", Type.Array(Type.String()), "x", ["must be a list"]],
  ["an empty list", Type.Array(Type.String(), { minItems: 1 }), [], ["must have at least 1 entry"]],
  [
    "a long list",
    Type.Array(Type.String(), { maxItems: 2 }),
    ["", "", ""],
    ["must have at most 2 entries"],
  ],
  [
    "a list's entry",
    Type.Array(Type.Integer()),
    [1, "2"],
    ["a.1: must be a whole number, not text"],
  ],
  ["a date", Type.String({ format: "date" }), 5, ["must be a date of the form YYYY-MM-DD"]],
])("%s is explained", (_, schema, value, said) => {
  expect(saidOf(schema, value)).toEqual(said);
});

const Body = Type.Object(
  {
    a: Type.String(),
    b: Type.Integer(),
    list: Type.Optional(Type.Array(Type.Object({ c: Type.String() }))),
  },
  { additionalProperties: false },
);

test("each missing field is named", () => {
  expect(faultsOf(Body, {})).toEqual([
    { path: "a", message: "is required" },
    { path: "b", message: "is required" },
  ]);
  expect(faultsOf(Body, { a: "", b: 1, list: [{ c: "" }, {}] })).toEqual([
    { path: "list.1.c", message: "is required" },
  ]);
});

test("each unknown field is named, once, and cut when it is long", () => {
  const long = "x".repeat(500);
  expect(faultsOf(Body, { a: "", b: 1, zz: 1, [long]: 2 })).toEqual([
    { path: "zz", message: "is not a field that is known here" },
    { path: `${"x".repeat(120)}…`, message: "is not a field that is known here" },
  ]);
});

test("names with the signs of a JSON pointer are shown as they are", () => {
  expect(faultsOf(Body, { a: "", b: 1, "x/y~z": 1 })[0]?.path).toBe("x/y~z");
});

test.each([undefined, null, 1, "x", []])("%j is no body", (value) => {
  expect(faultsOf(Body, value)).toEqual([{ path: "", message: "The body must be a JSON object" }]);
});

test("the sentence of the refusal names the first fault", () => {
  expect(() => compileInput(Body)({ a: 1, b: 1 })).toThrow("a: must be text");
  expect(() => compileInput(Body)(null)).toThrow("The body must be a JSON object");
});

test("what is right comes back as it is", () => {
  const value = { a: "x", b: 2 };
  expect(compileInput(Body)(value)).toBe(value);
});
