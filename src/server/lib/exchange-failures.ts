import { errors } from "undici";
import { ExchangeError } from "./exchange-error.ts";

/** Sentences for what the system and the HTTP client say most often; `at` is the target's host. */
const sentences: Readonly<Record<string, (at: string) => string>> = {
  ECONNREFUSED: (at) => `${at} refused the connection`,
  ECONNRESET: (at) => `${at} reset the connection`,
  EPIPE: (at) => `${at} closed the connection`,
  UND_ERR_SOCKET: (at) => `${at} closed the connection before its answer was complete`,
  EHOSTUNREACH: (at) => `There is no route to ${at}`,
  ENETUNREACH: (at) => `There is no route to ${at}`,
  EADDRNOTAVAIL: (at) => `There is no route to ${at}`,
  ETIMEDOUT: (at) => `The connection to ${at} timed out`,
  CERT_HAS_EXPIRED: (at) => `The certificate of ${at} has expired`,
  DEPTH_ZERO_SELF_SIGNED_CERT: (at) => `The certificate of ${at} is signed by itself`,
  SELF_SIGNED_CERT_IN_CHAIN: (at) => `The certificate of ${at} comes from an unknown authority`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (at) => `The certificate of ${at} cannot be verified`,
  ERR_TLS_CERT_ALTNAME_INVALID: (at) => `The certificate of ${at} is for another name`,
};

const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|EPROTO$|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_)/;

/**
 * What a failed exchange throws, for whatever the client or the system threw.
 * @param at the target, as it stands within a sentence
 */
export function toExchangeError(error: unknown, at: string): ExchangeError {
  if (error instanceof ExchangeError) return error;
  const code = codeOf(error);
  const sentence = sentences[code]?.(at);
  if (TLS_CODE.test(code)) {
    return new ExchangeError("tls", sentence ?? `No TLS with ${at}: ${code}`, error);
  }
  if (code === "ETIMEDOUT") return new ExchangeError("timeout", sentence ?? code, error);
  if (error instanceof errors.HTTPParserError) {
    return new ExchangeError("network", `${at} did not answer in HTTP`, error);
  }
  const said = sentence ?? `The exchange with ${at} failed (${code || "unknown"})`;
  return new ExchangeError("network", said.replace(/^the /, "The "), error);
}

/** Node gathers the failures of several addresses into one error. */
function codeOf(error: unknown): string {
  const failure = error as { code?: unknown; errors?: unknown[]; cause?: unknown };
  if (typeof failure.code === "string" && failure.code !== "") return failure.code;
  const inner = failure.errors?.[0] ?? failure.cause;
  return inner === undefined || inner === null ? "" : codeOf(inner);
}
