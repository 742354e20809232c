import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { contains, type Range } from "../../probe/target-policy.ts";
import { toCallerKey } from "../../shared/caller-key.ts";

/**
 * What callers are told apart by: the address of the nearest one that is no trusted proxy. What that
 * one says about others is not believed.
 * @param trustProxy `true`: one proxy is in front, whatever its address
 */
export function callerOf(request: IncomingMessage, trustProxy: boolean | readonly Range[]): string {
  // The nearest stands last.
  const hops = [request.headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  let caller = request.socket.remoteAddress ?? "";
  for (let proxies = 0; isProxy(caller, proxies, trustProxy); proxies++) {
    const before = hops.pop()?.trim() ?? "";
    if (!ipaddr.isValid(before)) break;
    caller = before;
  }
  return toCallerKey(caller);
}

function isProxy(
  address: string,
  proxies: number,
  trustProxy: boolean | readonly Range[],
): boolean {
  if (typeof trustProxy === "boolean") return trustProxy && proxies === 0;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trustProxy.some((range) => contains(range, parsed));
}
