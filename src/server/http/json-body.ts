import { isUtf8 } from "node:buffer";
import { JsonTextError, parseJsonText } from "../../shared/json-text.ts";
import { AppError, invalidFields } from "../lib/errors.ts";

/** Largest body that is read, in bytes. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/**
 * The value of a JSON body; undefined for an empty one. Every string in it is text that can be
 * stored and sent on: well-formed Unicode without NUL.
 * @throws AppError invalid_json, invalid_request
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString("utf8");
  // What cannot be decoded leaves this character behind; it may also have been sent as such.
  if (text.includes("\uFFFD") && !isUtf8(bytes)) {
    throw new AppError("invalid_json", "The body is not valid UTF-8");
  }
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw error.fields ? invalidFields(error.fields) : new AppError("invalid_json", error.message);
  }
}
