import type { FastifyReply } from "fastify";
import { AppError } from "../lib/errors.ts";

/**
 * Aborts when the connection closes before the answer was sent. What it carries is for the metrics
 * alone: nobody is there to be told.
 */
export function callerGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const check = () => {
    if (!raw.writableFinished) controller.abort(new AppError("request_timeout", "The caller left"));
  };
  raw.once("close", check);
  if (raw.destroyed) check();
  return controller.signal;
}
