import ipaddr from "ipaddr.js";
import type { PolicyMode } from "./target-policy.ts";

/** What decides about the policy `auto`, beside the request. */
export interface Exposure {
  /** The address that is listened on. */
  host: string;
  publicUrl: string | undefined;
  trustProxy: boolean | readonly unknown[];
}

/** Names in lower case. */
interface Headers {
  readonly host?: string | undefined;
  readonly [name: string]: string | string[] | undefined;
}

/** Headers by which something between the caller and the service shows itself. */
const forwardingHeaders: ReadonlySet<string> = new Set([
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-original-host",
  "x-envoy-external-address",
  "true-client-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "do-connecting-ip",
  "cdn-loop",
  "tailscale-user-login",
]);
const forwardingPrefixes = ["x-forwarded", "x-original-forwarded", "cf-", "x-arr-", "x-azure-"];

/**
 * The policy in force for a request. `auto` is `any` only for a program on the same machine: as long
 * as the service listens on loopback, nothing says that it is published, and neither a proxy nor a
 * page of another site is in between. A page shows itself by a name that is not this machine's (it
 * may have made that name lead here) or by `Sec-Fetch-Site`.
 */
export function policyModeOf(
  policy: "auto" | PolicyMode,
  { host, publicUrl, trustProxy }: Exposure,
  headers: Headers,
): PolicyMode {
  if (policy !== "auto") return policy;
  const isPublished = !isLoopback(host) || publicUrl !== undefined || trustProxy !== false;
  return isPublished || isForwarded(headers) || isForeignPage(headers) ? "public" : "any";
}

function isForwarded(headers: Headers): boolean {
  return Object.keys(headers).some(
    (name) =>
      forwardingHeaders.has(name) || forwardingPrefixes.some((prefix) => name.startsWith(prefix)),
  );
}

function isForeignPage(headers: Headers): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  return !isLoopback(URL.parse(`http://${headers.host}/`)?.hostname ?? "");
}

/** Whether a name or an address, in brackets or not, is this machine's own. */
function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}
