import { randomUUID } from "node:crypto";
import { signAcs3, type Acs3Key } from "./acs3.ts";
import type { Exchange } from "./exchange.ts";
import { isSuccess, isTransientStatus, statusError } from "./http-status.ts";
import { ProviderError } from "./provider-error.ts";
import { readJsonObject, type JsonObject } from "./provider-json.ts";
import { parseRetryAfter } from "../../shared/retry-after.ts";
import type { Stage } from "./stage-record.ts";

const PROVIDER = "Alibaba Cloud";

/** Often sent with status 400. */
const TRANSIENT_CODE =
  /^(?:Throttling|ServiceUnavailable|InternalError|SystemBusy|SignatureNonceUsed$)/;

/** What is wrong, for those who do not know the codes. */
const hints: Readonly<Record<string, string>> = {
  "InvalidAccessKeyId.NotFound": "there is no such access key id",
  "InvalidAccessKeyId.Inactive": "the access key is disabled",
  SignatureDoesNotMatch: "the access key secret is wrong",
  "InvalidTimeStamp.Expired": "the clock of this machine is more than 15 minutes off",
  NoPermission: "the access key lacks the permission",
  "Forbidden.RAM": "the access key lacks the permission",
};

export interface AliyunApiParts extends Acs3Key {
  /** Origin of the product's endpoint. */
  endpoint: string;
  /** Of the API, a date. */
  version: string;
  exchange: Exchange;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** An API of Alibaba Cloud in the RPC style. */
export class AliyunApi {
  readonly #parts: AliyunApiParts;

  constructor(parts: AliyunApiParts) {
    this.#parts = parts;
  }

  /** @throws ProviderError with the provider's code as `errorClass`; ExchangeError */
  async call(
    stage: Stage,
    method: "GET" | "POST",
    action: string,
    query: Readonly<Record<string, string>>,
  ): Promise<JsonObject> {
    const { accessKeyId, accessKeySecret, endpoint, version, exchange, now } = this.#parts;
    const { url, headers } = signAcs3(
      { accessKeyId, accessKeySecret },
      { method, endpoint, action, version, query, nonce: randomUUID(), at: now() },
    );
    const answer = await exchange.send({
      stage,
      method,
      url,
      headers: { ...headers, accept: "application/json" },
    });
    const said = readJsonObject(answer, PROVIDER, now());
    if (isSuccess(answer.status)) return said;
    const { Code: code, Message: message } = said;
    if (typeof code !== "string") throw statusError(answer, PROVIDER, "no code", now());
    const isTransient = TRANSIENT_CODE.test(code) || isTransientStatus(answer.status);
    const reason = Object.hasOwn(hints, code) ? hints[code] : undefined;
    const words = typeof message === "string" ? message : "no reason given";
    throw new ProviderError(
      isTransient ? "transient" : "permanent",
      code,
      exchange.redact(`${PROVIDER} answered ${code}: ${reason ?? words}`),
      {
        retryAfterMs: parseRetryAfter(answer.headers["retry-after"], now()),
        httpStatus: answer.status,
      },
    );
  }
}
