import { createHmac, hash } from "node:crypto";
import { percentEncode } from "./percent-encode.ts";

const ALGORITHM = "ACS3-HMAC-SHA256";

export interface Acs3Key {
  accessKeyId: string;
  accessKeySecret: string;
}

/** A call in the RPC style: everything in the query, the body empty. */
export interface Acs3Call {
  method: "GET" | "POST";
  /** Origin and perhaps a path, without a query. */
  endpoint: string;
  action: string;
  version: string;
  query: Readonly<Record<string, string>>;
  /** A word that is never used twice. */
  nonce: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface SignedRequest {
  url: string;
  headers: Record<string, string>;
}

/** Signs a call as Alibaba Cloud's "V3 request structure and signature" asks for. */
export function signAcs3({ accessKeyId, accessKeySecret }: Acs3Key, call: Acs3Call): SignedRequest {
  const url = new URL(call.endpoint);
  const query = canonicalQuery(call.query);
  const bodyHash = hash("sha256", "", "hex");
  const signed: Record<string, string> = {
    host: url.host,
    "x-acs-action": call.action,
    "x-acs-content-sha256": bodyHash,
    "x-acs-date": new Date(call.at).toISOString().replace(/\.\d+Z$/, "Z"),
    "x-acs-signature-nonce": call.nonce,
    "x-acs-version": call.version,
  };
  const names = Object.keys(signed).toSorted();
  const canonicalHeaders = names.map((name) => `${name}:${signed[name]}\n`).join("");
  const signedHeaders = names.join(";");
  const request = [call.method, url.pathname, query, canonicalHeaders, signedHeaders, bodyHash];
  const toSign = `${ALGORITHM}\n${hash("sha256", request.join("\n"), "hex")}`;
  const signature = createHmac("sha256", accessKeySecret).update(toSign).digest("hex");
  const { host: _host, ...headers } = signed;
  const credential = `Credential=${accessKeyId},SignedHeaders=${signedHeaders}`;
  return {
    url: `${url.origin}${url.pathname}${query && "?"}${query}`,
    headers: { ...headers, authorization: `${ALGORITHM} ${credential},Signature=${signature}` },
  };
}

function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join("&");
}
