import { hostname } from "node:os";
import { toHost } from "../lib/address.ts";
import type { HostPort } from "../lib/host-port.ts";
import { isLocalAddress } from "./local-address.ts";

const unspecified: readonly string[] = ["0.0.0.0", "::"];
const LOOPBACK = /^(127\.|::1$|localhost$)/;

/** Whether `target` is where this service itself listens, as far as its spelling tells. */
export function isOwnListener(target: HostPort, listener: HostPort): boolean {
  if (target.port !== listener.port) return false;
  const listensAt = toHost(listener.host) ?? listener.host;
  if (target.host === listensAt) return true;
  const isThisMachine =
    LOOPBACK.test(target.host) || isLocalAddress(target.host) || target.host === toHost(hostname());
  if (unspecified.includes(listensAt)) return isThisMachine;
  const isUnspecific = target.host === "localhost" || unspecified.includes(target.host);
  return isUnspecific && LOOPBACK.test(listensAt);
}
