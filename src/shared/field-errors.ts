import type { TSchema } from "typebox";

/** One thing that is wrong with the input. `path` is dotted: `connections.0.port`. */
export interface FieldError {
  path: string;
  message: string;
}

/** What the schema compiler says about a value; the parts of it that are read here. */
export interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
}

/** The words of JSON Schema that are put into sentences. */
interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

const PATH_LENGTH = 120;

/** The first of them as one sentence. */
export function sentenceOf(fields: readonly FieldError[]): string {
  const first = fields[0];
  if (!first) return "The request is not valid";
  return first.path === "" ? first.message : `${first.path}: ${first.message}`;
}

/** One sentence per thing that is wrong, in the order of the schema; `value` is what was checked. */
export function toFieldErrors(
  schema: TSchema,
  errors: readonly SchemaError[],
  value: unknown,
): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of errors) {
    for (const field of explain(schema, error, value)) {
      const key = `${field.path}\n${field.message}`;
      if (!found.has(key)) found.set(key, field);
    }
  }
  return [...found.values()];
}

function explain(schema: TSchema, error: SchemaError, value: unknown): FieldError[] {
  const at = pointer(error.instancePath);
  const schemaAt = pointer(error.schemaPath);
  const choice = schemaAt.indexOf("anyOf");
  if (choice !== -1 || error.keyword === "anyOf") {
    const outer = choice === -1 ? schemaAt : schemaAt.slice(0, choice);
    const path = at.slice(0, depthOf(outer));
    return [{ path: toPath(path), message: mustBe(lookUp(schema, outer) as Schema) }];
  }
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "required":
      return (params["requiredProperties"] as string[]).map((name) => ({
        path: toPath([...at, name]),
        message: "is required",
      }));
    case "additionalProperties":
      return (params["additionalProperties"] as string[]).map((name) => ({
        path: toPath([...at, name]),
        message: "is not a field that is known here",
      }));
    // Stands beside additionalProperties and says the same.
    case "boolean":
      return [];
    default: {
      const message = sentence(
        error.keyword,
        lookUp(schema, schemaAt) as Schema,
        lookUp(value, at),
      );
      return [{ path: toPath(at), message: at.length === 0 ? `The body ${message}` : message }];
    }
  }
}

function sentence(keyword: string, schema: Schema, value: unknown): string {
  switch (keyword) {
    case "type":
      return typeof value === "string" && /^(number|integer)$/.test(schema.type ?? "")
        ? `${mustBe(schema)}, not text`
        : mustBe(schema);
    case "minLength":
      return schema.minLength === 1
        ? "must not be empty"
        : `must have at least ${schema.minLength} characters`;
    case "maxLength":
      return `must have at most ${schema.maxLength} characters`;
    case "minItems":
      return `must have at least ${counted(schema.minItems, "entry", "entries")}`;
    case "maxItems":
      return `must have at most ${counted(schema.maxItems, "entry", "entries")}`;
    case "pattern":
      return `must have the form ${schema.pattern}`;
    default:
      return mustBe(schema);
  }
}

function mustBe(schema: Schema): string {
  return `must be ${describe(schema)}`;
}

/** What a schema accepts, in words: "a whole number from 1 to 65535". */
function describe(schema: Schema): string {
  if (schema.anyOf) return anyOf(schema.anyOf.map(describe));
  if (schema.enum) return anyOf(schema.enum.map(String));
  if ("const" in schema) return String(schema.const);
  switch (schema.type) {
    case "integer":
      return `a whole number${range(schema)}`;
    case "number":
      return `a number${range(schema)}`;
    case "string":
      return formats[schema.format ?? ""] ?? "text";
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a JSON object";
    case "null":
      return "null";
    default:
      return "something else";
  }
}

const formats: Record<string, string> = {
  email: "an e-mail address",
  date: "a date of the form YYYY-MM-DD",
  "date-time": "a time of the form 2026-01-31T12:00:00.000Z",
};

function range({ minimum, exclusiveMinimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const bounds: string[] = [];
  if (minimum !== undefined) bounds.push(` of at least ${minimum}`);
  if (exclusiveMinimum !== undefined) bounds.push(` above ${exclusiveMinimum}`);
  if (maximum !== undefined) bounds.push(` of at most ${maximum}`);
  return bounds.join(" and");
}

function anyOf(words: string[]): string {
  const unique = [...new Set(words)];
  const last = unique.pop() ?? "something else";
  return unique.length === 0 ? last : `${unique.join(", ")} or ${last}`;
}

function counted(count: number | undefined, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How many steps into the value a path into the schema stands for. */
function depthOf(schemaPath: string[]): number {
  let depth = 0;
  for (let at = 0; at < schemaPath.length; at++) {
    if (schemaPath[at] === "properties") at++;
    else if (schemaPath[at] !== "items") continue;
    depth++;
  }
  return depth;
}

function lookUp(root: unknown, path: string[]): unknown {
  let at = root;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return {};
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** The steps of a JSON pointer (RFC 6901), with or without the leading `#`. */
function pointer(text: string): string[] {
  const path = text.replace(/^#/, "");
  if (path === "") return [];
  return path
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function toPath(steps: string[]): string {
  const path = steps.join(".");
  return path.length <= PATH_LENGTH ? path : `${path.slice(0, PATH_LENGTH)}…`;
}
