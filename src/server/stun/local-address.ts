import { networkInterfaces } from "node:os";
import { toHost } from "../lib/address.ts";

const LOOPBACK = /^127\./;
const unspecified: readonly string[] = ["0.0.0.0", "::"];

/** Whether a socket could be bound to the address now. */
export function isLocalAddress(address: string): boolean {
  if (unspecified.includes(address) || LOOPBACK.test(address)) return true;
  const interfaces = Object.values(networkInterfaces());
  return interfaces.some((each) => each?.some((found) => toHost(found.address) === address));
}

/** What is bound when no source address is pinned. */
export function toBindAddress(localAddress: string | null): string {
  return localAddress ?? "0.0.0.0";
}
