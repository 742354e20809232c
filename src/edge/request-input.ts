import type { Static, TSchema } from "typebox";
import { Check, Errors } from "typebox/schema";
import { toFieldErrors, type FieldError } from "../shared/field-errors.ts";
import { flawOf, JsonTextError, parseJsonText } from "../shared/json-text.ts";
import { Refusal } from "./refusal.ts";

/** Largest body that is read, in bytes. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/**
 * The words of a query string.
 * @throws Refusal invalid_request
 */
export function readQuery<S extends TSchema>(query: URLSearchParams, schema: S): Static<S> {
  const words = new Map<string, string>();
  const fields: FieldError[] = [];
  for (const [name, word] of query) {
    if (words.has(name)) fields.push({ path: name, message: "must be given only once" });
    const message = flawOf(word);
    if (message) fields.push({ path: name, message });
    words.set(name, word);
  }
  if (fields.length > 0) throw Refusal.ofFields(fields);
  return checked(Object.fromEntries(words), schema);
}

/**
 * The JSON body.
 * @throws Refusal body_too_large, unsupported_media_type, invalid_json, invalid_request
 */
export async function readBody<S extends TSchema>(request: Request, schema: S): Promise<Static<S>> {
  const bytes = await readBytes(request);
  const type = request.headers.get("content-type");
  if (bytes.length > 0 && type !== null && !/^\s*application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal(
      "unsupported_media_type",
      "Send the body as JSON, with the header Content-Type: application/json",
    );
  }
  return checked(bytes.length === 0 ? null : parse(decode(bytes)), schema);
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = new Refusal("body_too_large", "The body is larger than 64 KiB");
  if (Number(request.headers.get("content-length")) > BODY_LIMIT_BYTES) throw tooLarge;
  if (!request.body) return new Uint8Array();
  const bytes = new Uint8Array(BODY_LIMIT_BYTES);
  let length = 0;
  // Not cancelled when it is too long: that would end the connection before the answer.
  const reader: Reader = request.body.getReader();
  for (let chunk = await readOn(reader); chunk; chunk = await readOn(reader)) {
    if (length + chunk.length > BODY_LIMIT_BYTES) throw tooLarge;
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

interface Reader {
  read(): Promise<{ value?: Uint8Array | undefined }>;
}

/** The bytes that came next; undefined at the end. */
async function readOn(reader: Reader): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value;
  } catch {
    throw new Refusal("invalid_request", "The body is not as long as Content-Length says");
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal("invalid_json", "The body is not valid UTF-8");
  }
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw error.fields
      ? Refusal.ofFields(error.fields)
      : new Refusal("invalid_json", error.message);
  }
}

/** Interpreted: where this runs, no code may be generated. */
function checked<S extends TSchema>(value: unknown, schema: S): Static<S> {
  if (Check(schema, value)) return value;
  const [, errors] = Errors(schema, value);
  throw Refusal.ofFields(toFieldErrors(schema, errors, value));
}
