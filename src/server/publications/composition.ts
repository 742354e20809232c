import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type { RecordType } from "../../shared/api/domains.ts";
import type { Member, PublicationSettings } from "./publication.ts";

/** A record set as it should be. */
export interface ComposedSet {
  name: string;
  type: RecordType;
  values: string[];
}

export interface Composition {
  sets: ComposedSet[];
  /** What a person should know of it. */
  note: string | null;
}

/** Clients read the first character string of a TXT record only, and none is longer (RFC 1035 §3.3). */
const TEXT_BYTES = 255;
const SERVICE = "_easytier";

/**
 * The records that name the nodes, as clients of the overlay read them. Addresses come first, so that
 * what names them never comes too soon.
 */
export function compose(
  { name, type }: Pick<PublicationSettings, "name" | "type">,
  nodes: readonly Member[],
): Composition {
  if (nodes.length === 0) return { sets: [], note: null };
  return type === "TXT" ? composeText(name, nodes) : composeServices(name, nodes);
}

function composeText(name: string, nodes: readonly Member[]): Composition {
  let text = "";
  let named = 0;
  for (const url of new Set(nodes.map((node) => node.url))) {
    const longer = text === "" ? url : `${text} ${url}`;
    if (Buffer.byteLength(longer) > TEXT_BYTES) continue;
    text = longer;
    named++;
  }
  const note =
    named === nodes.length
      ? null
      : `${named} of ${nodes.length} nodes are named: clients read ${TEXT_BYTES} bytes of text, and each URL once`;
  if (text === "") return { sets: [], note };
  return { sets: [{ name, type: "TXT", values: [`"${text}"`] }], note };
}

/**
 * The clients take the priority for the weight (and fail when all are 0), so the same number stands in
 * both places.
 */
function composeServices(name: string, nodes: readonly Member[]): Composition {
  const addresses = new Map<string, ComposedSet>();
  const services = new Map<string, ComposedSet>();
  const urls = new Set<string>();
  for (const { url, weight } of nodes) {
    if (urls.has(url)) continue;
    urls.add(url);
    const { scheme, host, port } = partsOf(url);
    const target = isIPv4(host) || isIPv6(host) ? addressName(host, name) : host;
    if (target !== host) {
      const type = isIPv4(host) ? "A" : "AAAA";
      addresses.set(target, { name: target, type, values: [host] });
    }
    const service = `${SERVICE}._${scheme}.${name}`;
    const set = services.get(service) ?? { name: service, type: "SRV", values: [] };
    set.values.push(`${weight} ${weight} ${port} ${target}.`);
    services.set(service, set);
  }
  return { sets: [...addresses.values(), ...services.values()], note: null };
}

/** A name that says its address: however long it is kept somewhere, it is right. */
function addressName(address: string, below: string): string {
  const words = ipaddr.parse(address).toNormalizedString();
  return `${words.replaceAll(/[.:]/g, "-")}.${below}`;
}

function partsOf(url: string): { scheme: string; host: string; port: string } {
  const [, scheme = "", host = "", port = ""] = /^(\w+):\/\/\[?(.+?)\]?:(\d+)$/.exec(url) ?? [];
  return { scheme, host: host.replace(/\.$/, "").toLowerCase(), port };
}
