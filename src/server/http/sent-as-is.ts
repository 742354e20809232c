import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";

/** The type of a body that a service has written as JSON text itself. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** For routes whose service checks its input itself: the schema is there to be read. */
export const uncheckedHere: FastifySchemaCompiler<TSchema> = () => () => true;
