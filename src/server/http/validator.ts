import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import type { FieldError } from "../../shared/field-errors.ts";
import { flawOf } from "../../shared/json-text.ts";
import { AppError, invalidFields } from "../lib/errors.ts";
import { compileInput } from "../lib/input.ts";

type Words = Record<string, string | string[]>;

/**
 * Checks a part of a request against its TypeBox schema. Bodies are taken as they are: a number in
 * quotes is text. Query strings and paths can only be text, so there a schema's numbers and
 * booleans are read from their usual spelling, and nothing else.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === "params") return (value: unknown) => ({ value: readPath(value, schema) });
  const check = compileInput(schema);
  const read = httpPart === "querystring" ? readQuery : readBody;
  return (value: unknown) => {
    try {
      return { value: check(read(value, schema)) };
    } catch (error) {
      return { error: error as Error };
    }
  };
};

/** The body is read by `parse`, which knows more than a schema can say, at the same moment. */
export function readingBodyWith(parse: (body: unknown) => unknown): FastifySchemaCompiler<TSchema> {
  return (route) => {
    if (route.httpPart !== "body") return validatorCompiler(route);
    return (value: unknown) => {
      try {
        return { value: parse(value) };
      } catch (error) {
        return { error: error as Error };
      }
    };
  };
}

/** Fastify says null when there is no body; one of which nothing is required may be left out. */
function readBody(body: unknown, schema: TSchema): unknown {
  const { required } = schema as { required?: string[] };
  return body === null && !required ? {} : body;
}

function readQuery(query: unknown, schema: TSchema): unknown {
  const fields: FieldError[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, word] of Object.entries(query as Words)) {
    if (Array.isArray(word)) {
      fields.push({ path: name, message: "must be given only once" });
      continue;
    }
    const message = flawOf(word);
    if (message) fields.push({ path: name, message });
    defineOwn(values, name, convert(word, propertyOf(schema, name)));
  }
  if (fields.length > 0) throw invalidFields(fields);
  return values;
}

/** A path names a thing: one of the wrong form is no mistake in the request, it names nothing. */
function readPath(path: unknown, schema: TSchema): unknown {
  const values: Record<string, unknown> = {};
  for (const [name, word] of Object.entries(path as Record<string, string>)) {
    const property = propertyOf(schema, name);
    defineOwn(values, name, property?.["type"] === "integer" ? toId(word) : word);
  }
  return values;
}

/** The id a path segment spells; 0, which no thing has, when it spells none. */
function toId(word: string): number {
  const id = /^[1-9]\d{0,15}$/.test(word) ? Number(word) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}

/**
 * Runs after the body was checked, because a wrong body comes before a missing thing.
 * @throws AppError not_found
 */
export function refuseUnnamed(params: unknown): void {
  for (const value of Object.values((params ?? {}) as Record<string, unknown>)) {
    if (value === 0) throw new AppError("not_found", "There is nothing with this id");
    if (typeof value === "string" && flawOf(value)) {
      throw new AppError("not_found", "There is nothing with this name");
    }
  }
}

function propertyOf(schema: TSchema, name: string): Record<string, unknown> | undefined {
  const { properties } = schema as { properties?: Record<string, Record<string, unknown>> };
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function convert(word: string, property: Record<string, unknown> | undefined): unknown {
  switch (property?.["type"]) {
    case "integer":
    case "number":
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(word) ? Number(word) : word;
    case "boolean":
      return word === "true" ? true : word === "false" ? false : word;
    default:
      return word;
  }
}

function defineOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
