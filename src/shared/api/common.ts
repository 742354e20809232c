import type { Static } from "typebox";
// As a namespace, so that a bundle holds of it what is used.
import * as Type from "typebox";

/** The body of every refusal: a sentence a person can act on, a stable word, and what was wrong. */
export const ErrorBody = Type.Object({
  error: Type.String(),
  code: Type.String(),
  fields: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
});
export type ErrorBody = Static<typeof ErrorBody>;

export const MessageBody = Type.Object({ message: Type.String() });
export type MessageBody = Static<typeof MessageBody>;

/** ISO 8601, UTC. */
export const Timestamp = Type.String({ format: "date-time" });
