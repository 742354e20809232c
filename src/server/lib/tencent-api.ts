import type { Exchange } from "./exchange.ts";
import { isSuccess, statusError } from "./http-status.ts";
import { ProviderError } from "./provider-error.ts";
import { isObject, readJsonObject, type JsonObject } from "./provider-json.ts";
import type { Stage } from "./stage-record.ts";
import { signTc3, type Tc3Key } from "./tc3.ts";

const PROVIDER = "Tencent Cloud";

const TRANSIENT_CODE = new RegExp(
  "^(?:RequestLimitExceeded|InternalError|LimitExceeded\\.RateLimitExceeded$|" +
    "InvalidParameter\\.(?:ActionInProgress|ZoneIsGrayPublishing)$|" +
    "OperationDenied\\.(?:ResourceLockedTemporary|AccelerationDomainStatusNotInOnline|" +
    "DomainStatusUnstable)$)",
);

/** What is wrong, for those who do not know the codes. */
const hints: Readonly<Record<string, string>> = {
  "AuthFailure.SecretIdNotFound": "there is no such secret id",
  "AuthFailure.SignatureFailure": "the secret key is wrong",
  "AuthFailure.SignatureExpire": "the clock of this machine is more than 5 minutes off",
  "AuthFailure.UnauthorizedOperation": "the key lacks the permission",
  UnauthorizedOperation: "the key lacks the permission",
};

export interface TencentApiParts extends Tc3Key {
  /** Origin of the product's endpoint. */
  endpoint: string;
  /** `teo`, `dnspod`. */
  service: string;
  /** Of the API, a date. */
  version: string;
  exchange: Exchange;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** An API 3.0 of Tencent Cloud. Its errors come with status 200. */
export class TencentApi {
  readonly #parts: TencentApiParts;

  constructor(parts: TencentApiParts) {
    this.#parts = parts;
  }

  /**
   * @returns `Response` of the envelope
   * @throws ProviderError with the provider's code as `errorClass`; ExchangeError
   */
  async call(stage: Stage, action: string, request: JsonObject): Promise<JsonObject> {
    const { secretId, secretKey, endpoint, service, version, exchange, now } = this.#parts;
    const body = JSON.stringify(request);
    const headers = signTc3(
      { secretId, secretKey },
      { endpoint, service, action, version, body, at: now() },
    );
    const url = `${endpoint.replace(/\/+$/, "")}/`;
    const answer = await exchange.send({ stage, method: "POST", url, headers, body });
    const { Response: response } = readJsonObject(answer, PROVIDER, now());
    if (!isObject(response)) throw statusError(answer, PROVIDER, "no response in it", now());
    const { Error: error } = response;
    if (isSuccess(answer.status) && error === undefined) return response;
    if (!isObject(error)) throw statusError(answer, PROVIDER, "no reason given", now());
    const code = typeof error.Code === "string" ? error.Code : "unknown";
    const words = typeof error.Message === "string" ? error.Message : "no reason given";
    throw new ProviderError(
      TRANSIENT_CODE.test(code) ? "transient" : "permanent",
      code,
      exchange.redact(`${PROVIDER} answered ${code}: ${hints[code] ?? words}`),
      { httpStatus: answer.status },
    );
  }
}
