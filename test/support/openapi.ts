import type { Client } from "./client.ts";

/** The words of JSON Schema that our document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
}

interface Media {
  schema: JsonSchema;
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  required?: boolean;
  schema: JsonSchema;
}

export interface Response {
  description: string;
  content?: Record<string, Media>;
}

interface RawOperation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: { "application/json": Media } };
  responses: Record<string, Response>;
}

export interface Operation extends RawOperation {
  method: string;
  /** As in the document: `/api/nodes/{id}`. */
  path: string;
}

export interface OpenApiDocument {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

export async function readDocument(client: Client): Promise<OpenApiDocument> {
  return (await client.request("GET", "/docs/openapi.json")).body as OpenApiDocument;
}

export function listOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      Object.assign({ method: method.toUpperCase(), path }, operation),
    ),
  );
}

export function bodySchemaOf(operation: Operation): JsonSchema | undefined {
  return operation.requestBody?.content["application/json"].schema;
}

/**
 * Why `value` is not what `schema` says, with nothing beside what it says; undefined when it is.
 */
export function objectionTo(
  value: unknown,
  schema: JsonSchema,
  path = "answer",
): string | undefined {
  if (schema.anyOf) {
    const objections = schema.anyOf.map((each) => objectionTo(value, each, path));
    return objections.includes(undefined) ? undefined : objections[0];
  }
  if (schema.enum && !schema.enum.includes(value)) return `${path} is ${JSON.stringify(value)}`;
  switch (schema.type) {
    case "object":
      return objectionToObject(value, schema, path);
    case "array":
      if (!Array.isArray(value)) return `${path} is no list`;
      return firstOf(value.map((each, n) => objectionTo(each, schema.items ?? {}, `${path}.${n}`)));
    case "integer":
      return Number.isSafeInteger(value) ? undefined : `${path} is no whole number`;
    case "null":
      return value === null ? undefined : `${path} is not null`;
    case "string":
    case "number":
    case "boolean":
      return typeof value === schema.type ? undefined : `${path} is no ${schema.type}`;
    default:
      return undefined;
  }
}

function objectionToObject(value: unknown, schema: JsonSchema, path: string): string | undefined {
  if (typeof value !== "object" || value === null) return `${path} is no object`;
  const missing = schema.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}.${missing} is missing`;
  // A dictionary says nothing about its keys.
  if (!schema.properties) return undefined;
  return firstOf(
    Object.entries(value).map(([name, field]) => {
      const property = schema.properties?.[name];
      const place = `${path}.${name}`;
      return property ? objectionTo(field, property, place) : `${place} is not in the document`;
    }),
  );
}

function firstOf(objections: (string | undefined)[]): string | undefined {
  return objections.find((each) => each !== undefined);
}
