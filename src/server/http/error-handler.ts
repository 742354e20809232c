import { STATUS_CODES } from "node:http";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { ErrorBody } from "../../shared/api/common.ts";
import { AppError, type ErrorCode } from "../lib/errors.ts";
import type { Logger } from "../lib/logger.ts";
import { Seldom } from "../lib/seldom.ts";
import { statusOf } from "./error-statuses.ts";

/** A refusal as it leaves the process. */
export interface Refusal {
  status: number;
  body: ErrorBody;
  retryAfterSeconds: number | undefined;
}

const STORAGE_RETRY_SECONDS = 5;
/** While something is down, every request fails for the same reason: that is said once in this time. */
const SAID_EVERY_MS = 10_000;

/** Turns whatever was thrown into a refusal; what was not meant for the caller is logged instead. */
export class Refusals {
  readonly #isUnavailable: (error: unknown) => boolean;
  readonly #logger: Logger;
  readonly #seldom = new Seldom(SAID_EVERY_MS, () => performance.now());

  /** `isUnavailable` tells failures of the storage that may pass from defects. */
  constructor(isUnavailable: (error: unknown) => boolean, logger: Logger) {
    this.#isUnavailable = isUnavailable;
    this.#logger = logger;
  }

  of(error: unknown, requestId: string): Refusal {
    const refused = error instanceof AppError ? error : ofFastify(error as FastifyError);
    if (refused) {
      if (refused.cause !== undefined)
        this.#warn(refused.message, refused.code, { cause: refused.cause, requestId });
      return toRefusal(refused);
    }
    if (this.#isUnavailable(error)) {
      this.#warn("the storage is not available", "storage_unavailable", { err: error, requestId });
      return toRefusal(
        new AppError("storage_unavailable", "The storage does not answer now; try again soon", {
          retryAfterSeconds: STORAGE_RETRY_SECONDS,
        }),
      );
    }
    this.#logger.error({ err: error, requestId }, "a request failed");
    const sentence = `Something went wrong in the service; its log tells more under ${requestId}`;
    return toRefusal(new AppError("internal", sentence));
  }

  #warn(sentence: string, code: ErrorCode, about: Record<string, unknown>): void {
    const heldBack = this.#seldom.pass(code);
    if (heldBack === undefined) return;
    this.#logger.warn({ code, ...about, ...(heldBack > 0 ? { heldBack } : {}) }, sentence);
  }

  /** The error handler of Fastify. */
  answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, body, retryAfterSeconds } = this.of(error, request.id);
    if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
    // A route with keys of its own has said which.
    if (status === 401 && !reply.hasHeader("www-authenticate")) {
      reply.header("www-authenticate", "Bearer");
    }
    return reply.code(status).send(body);
  };
}

function toRefusal(error: AppError): Refusal {
  const body: ErrorBody = { error: error.message, code: error.code };
  if (error.fields) body.fields = error.fields;
  return { status: statusOf[error.code], body, retryAfterSeconds: error.retryAfterSeconds };
}

/** What Fastify itself refuses, in our words. */
function ofFastify(error: FastifyError): AppError | undefined {
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new AppError("body_too_large", "The body is larger than 64 KiB");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return wrongMediaType();
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return brokenOff();
    case "ECONNRESET":
      // Node's word for a request that broke off; the storage's connections are reset, too.
      return error.message === "aborted" ? brokenOff() : undefined;
    case "FST_ERR_BAD_URL":
      return new AppError("not_found", "The path is not valid");
    default:
      // What else the router does not like is the caller's to put right.
      return error.code?.startsWith("FST_ERR_") && isCallersFault(error)
        ? new AppError("invalid_request", "The request is not valid")
        : undefined;
  }
}

function isCallersFault({ statusCode = 500 }: FastifyError): boolean {
  return statusCode >= 400 && statusCode < 500;
}

function brokenOff(): AppError {
  return new AppError("invalid_request", "The body is not as long as Content-Length says");
}

export function wrongMediaType(): AppError {
  return new AppError(
    "unsupported_media_type",
    "Send the body as JSON, with the header Content-Type: application/json",
  );
}

/** A whole response for a connection on which no request could be read. */
export function rawResponse(error: AppError): string {
  const { status, body } = toRefusal(error);
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
    "",
    text,
  ].join("\r\n");
}
