import { createHmac, hash } from "node:crypto";

const ALGORITHM = "TC3-HMAC-SHA256";
const CONTENT_TYPE = "application/json; charset=utf-8";

export interface Tc3Key {
  secretId: string;
  secretKey: string;
}

export interface Tc3Call {
  /** Origin; the path is always `/`. */
  endpoint: string;
  /** `teo`, `dnspod`, … */
  service: string;
  action: string;
  version: string;
  /** JSON, the very text that is sent. */
  body: string;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * The headers of a POST to Tencent Cloud's API 3.0, signed as its "Signature v3" asks for over
 * content-type, host and action.
 */
export function signTc3({ secretId, secretKey }: Tc3Key, call: Tc3Call): Record<string, string> {
  const seconds = Math.floor(call.at / 1000);
  const date = new Date(call.at).toISOString().slice(0, 10);
  const scope = `${date}/${call.service}/tc3_request`;
  const signedHeaders = "content-type;host;x-tc-action";
  const canonicalHeaders =
    `content-type:${CONTENT_TYPE}\n` +
    `host:${new URL(call.endpoint).host}\n` +
    `x-tc-action:${call.action.toLowerCase()}\n`;
  const bodyHash = hash("sha256", call.body, "hex");
  const request = ["POST", "/", "", canonicalHeaders, signedHeaders, bodyHash].join("\n");
  const toSign = [ALGORITHM, seconds, scope, hash("sha256", request, "hex")].join("\n");
  const key = [date, call.service, "tc3_request"].reduce(derive, Buffer.from(`TC3${secretKey}`));
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  return {
    "content-type": CONTENT_TYPE,
    "x-tc-action": call.action,
    "x-tc-version": call.version,
    "x-tc-timestamp": String(seconds),
    authorization: `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

function derive(key: Buffer, word: string): Buffer {
  return createHmac("sha256", key).update(word).digest();
}
