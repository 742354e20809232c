import ipaddr from "ipaddr.js";
import { embeddedIpv4, specialKind } from "./special-addresses.ts";

/** `public`: only addresses of the public internet. `any`: whatever is asked. */
export type PolicyMode = "public" | "any";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The addresses that begin with the first `prefixLength` bits of `address`. */
export interface Range {
  address: Address;
  prefixLength: number;
}

/** Reads addresses and CIDR ranges separated by commas; undefined when one of them is neither. */
export function parseRanges(list: string): Range[] | undefined {
  if (list.trim() === "") return [];
  const ranges: Range[] = [];
  for (const text of list.split(",")) {
    const range = parseRange(text.trim());
    if (!range) return undefined;
    ranges.push(range);
  }
  return ranges;
}

/** Which addresses may be dialled for whoever asks. */
export class TargetPolicy {
  readonly mode: PolicyMode;
  readonly #allowed: readonly Range[];

  /** @param allowed ranges that are open whatever they are */
  constructor(mode: PolicyMode, allowed: readonly Range[]) {
    this.mode = mode;
    this.#allowed = allowed;
  }

  /**
   * Why an IPv4 or IPv6 address is refused, as a sentence; undefined when it may be dialled. An IPv6
   * address that leads to an IPv4 address is judged by that one too. Names are refused.
   */
  objection(address: string): string | undefined {
    const parsed = parseAddress(address);
    if (!parsed) return "Only IP addresses are checked";
    if (this.mode === "any" || this.#allows(parsed)) return undefined;
    const embedded = embeddedIpv4(parsed);
    if (embedded && this.#allows(embedded)) return undefined;
    const kind = specialKind(embedded ?? parsed);
    return kind && `${kind} addresses are not checked`;
  }

  #allows(address: Address): boolean {
    return this.#allowed.some((range) => contains(range, address));
  }
}

/** IPv4 only as four decimal numbers: what other programs might read differently is no address. */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return text.includes(":") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function parseRange(text: string): Range | undefined {
  const [addressText = "", prefixText, ...rest] = text.split("/");
  const address = addressText.includes("%") ? undefined : parseAddress(addressText);
  if (!address || rest.length > 0) return undefined;
  const bits = address.kind() === "ipv4" ? 32 : 128;
  if (prefixText === undefined) return { address, prefixLength: bits };
  if (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > bits) return undefined;
  return { address, prefixLength: Number(prefixText) };
}

/** Whether an address lies in a range; one that is mapped to IPv6 lies in no range of IPv4. */
export function contains({ address, prefixLength }: Range, candidate: Address): boolean {
  return address.kind() === candidate.kind() && candidate.match(address, prefixLength);
}
