import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";

const LONGEST_NAME = 253;
const LONGEST_TEXT = 1024;

/**
 * The one spelling of an IPv4 address, an IPv6 address (RFC 5952) or a DNS name (lower case, without
 * a final dot, internationalized labels in their ASCII form); undefined when `text` is none of them.
 * Short, octal, decimal and hexadecimal spellings of IPv4 are none, nor are zones and brackets.
 */
export function toHost(text: string): string | undefined {
  switch (isIP(text)) {
    case 4:
      return text;
    case 6:
      return text.includes("%") ? undefined : toIpv6(text);
    default:
      return toDnsName(text);
  }
}

function toIpv6(text: string): string {
  const address = ipaddr.IPv6.parse(text);
  // RFC 5952 §5: what embeds an IPv4 address is written with its dots.
  if (address.isIPv4MappedAddress()) return `::ffff:${address.toIPv4Address().toString()}`;
  return address.toRFC5952String();
}

/** Letters, digits and hyphens in labels of 1–63 (RFC 1123 §2.1). */
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** A name that ends like this is read as an IPv4 address by URL parsers. */
const NUMERIC_LABEL = /^(\d+|0x[0-9a-f]*)$/;
/** What may stand in a name before it is brought to ASCII. */
const UNICODE_NAME = /^[\p{L}\p{M}\p{N}.-]+$/u;
const ASCII = /^[\x00-\x7f]*$/;

function toDnsName(text: string): string | undefined {
  if (text.length > LONGEST_TEXT || !UNICODE_NAME.test(text)) return undefined;
  const ascii = ASCII.test(text) ? text.toLowerCase() : domainToASCII(text);
  const name = ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
  if (name.length > LONGEST_NAME) return undefined;
  const labels = name.split(".");
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  return NUMERIC_LABEL.test(labels.at(-1) ?? "") ? undefined : name;
}
