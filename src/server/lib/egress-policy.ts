import ipaddr from "ipaddr.js";
import { embeddedIpv4, specialKind } from "../../probe/special-addresses.ts";
import { contains, parseAddress, parseRanges, type Range } from "../../probe/target-policy.ts";

/** `lan`: private and loopback targets are open. `public`: only addresses of the public internet. */
export const egressModes = ["lan", "public"] as const;
export type EgressMode = (typeof egressModes)[number];

export interface Listener {
  /** An address, or a name that leads to this machine. */
  host: string;
  port: number;
}

export interface EgressPolicyParts {
  mode: EgressMode;
  /** Where this service itself can be reached; undefined as long as it does not listen. */
  ownListener: () => Listener | undefined;
  /** The addresses of this machine's interfaces. */
  ownAddresses: () => readonly string[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What no target has a reason to be, in a home network either. */
const neverTargets: ReadonlySet<string> = new Set([
  "Unspecified",
  "Broadcast",
  "Multicast",
  "Link-local",
  "Reserved",
  "Discard",
  "Segment routing",
  "Private translation",
  "Cloud platform",
]);

/** Where clouds tell a machine its own credentials, beside the link-local addresses. */
const metadataRanges = rangesOf("100.100.100.200,192.0.0.192,fd00:ec2::/32,fd20:ce::254");

const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::", ""]);

/** Which addresses the service may connect to for a callback. */
export class EgressPolicy {
  readonly mode: EgressMode;
  readonly #parts: EgressPolicyParts;

  constructor(parts: EgressPolicyParts) {
    this.mode = parts.mode;
    this.#parts = parts;
  }

  /**
   * Why an address is refused, as a sentence; undefined when it may be dialled. An IPv6 address that
   * leads to an IPv4 address is judged as that one. Names are refused.
   */
  objection(address: string, port: number): string | undefined {
    const parsed = parseAddress(address);
    if (!parsed || address.includes("%")) return `${address} is no address that can be dialled`;
    const target = embeddedIpv4(parsed) ?? parsed;
    if (metadataRanges.some((range) => contains(range, target))) {
      return `${address} is a metadata service: never a target`;
    }
    const kind = specialKind(target);
    if (kind !== undefined && neverTargets.has(kind)) {
      return `${address} is a ${kind.toLowerCase()} address: never a target`;
    }
    if (kind !== undefined && this.mode === "public") {
      return `${address} is a ${kind.toLowerCase()} address, which WEBHOOK_POLICY=public refuses`;
    }
    if (this.#isOwnListener(target, port)) return `${address}:${port} is this service itself`;
    return undefined;
  }

  #isOwnListener(target: Address, port: number): boolean {
    const listener = this.#parts.ownListener();
    if (listener?.port !== port) return false;
    const host = parseAddress(listener.host);
    if (wildcards.has(listener.host)) return isLoopback(target) || this.#isOwn(target);
    if (!host || isLoopback(host)) return isLoopback(target);
    return isSame(host, target);
  }

  #isOwn(target: Address): boolean {
    return this.#parts.ownAddresses().some((text) => {
      const own = parseAddress(text);
      return own !== undefined && isSame(own, target);
    });
  }
}

function isLoopback(address: Address): boolean {
  return specialKind(address) === "Loopback";
}

function isSame(a: Address, b: Address): boolean {
  return a.kind() === b.kind() && a.toString() === b.toString();
}

function rangesOf(list: string): Range[] {
  const ranges = parseRanges(list);
  if (!ranges) throw new Error(`${list} is no list of ranges`);
  return ranges;
}
