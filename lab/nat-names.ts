import type { Dependence } from "./nat-behaviour.ts";

/** What mappings are called in the rules of a NAT, and how one comes to be. */
export interface MappingNames {
  /** The nftables type of the name, and the name of a packet's mapping by its way. */
  type: string;
  leaving: string;
  arriving: string;
  declarations(memory: string): string;
  /** Rules that find or make the mapping of a packet that leaves. */
  mapping: readonly string[];
  renewal(timeout: string): string;
  /** The rest of the `snat` statement. */
  mappedPort: string;
  /** A rule that finds the mapping of a packet that arrives. */
  recognition: string;
}

/** The mapped port is the inside port, and so the mapping's name. */
export const namesByPort: MappingNames = {
  type: "inet_service",
  leaving: "th sport",
  arriving: "th dport",
  declarations: () => "",
  mapping: [],
  renewal: () => "",
  mappedPort: "",
  recognition: "",
};

/**
 * Mappings are numbered; the map `ports` leads from the number to the mapped port, `marks` back.
 * Packets and flows carry the number as their mark. What several flows have in common leads to the
 * number through the map `numbers`; a mapping that depends on everything is known by its flow.
 */
export function namesByMark(mapping: Dependence, ports: readonly number[]): MappingNames {
  const remote = dependsOn(mapping);
  const from = ["meta l4proto", "ip saddr", "th sport", ...remote.map((part) => part.leaving)];
  const key = from.join(" . ");
  const keyType = ["inet_proto", "ipv4_addr", "inet_service", ...remote.map((part) => part.type)];
  const marks = ports.map((port, index) => `${port} : ${index + 1}`);
  const numbered = ports.map((port, index) => `${index + 1} : ${port}`);
  const nextNumber = `numgen inc mod ${ports.length} offset 1`;
  const isPerFlow = mapping === "address_and_port_dependent";
  const numbers = [
    `meta mark 0 meta mark set ${key} map @numbers`,
    // Of two packets at the same time one adds, and both read what it added.
    `meta mark 0 add @numbers { ${key} timeout 1m : ${nextNumber} }`,
    `meta mark 0 meta mark set ${key} map @numbers`,
  ];
  return {
    type: "mark",
    leaving: "meta mark",
    arriving: "meta mark",
    declarations: (memory) => `
  map marks { type inet_service : mark; elements = { ${marks.join(", ")} }; }
  map ports { type mark : inet_service; elements = { ${numbered.join(", ")} }; }
  ${isPerFlow ? "" : `map numbers { type ${keyType.join(" . ")} : mark; ${memory} }`}`,
    mapping: [
      "meta mark set ct mark & 0xffff",
      ...(isPerFlow ? [`meta mark 0 meta mark set ${nextNumber}`] : numbers),
      "ct mark 0 ct mark set meta mark",
    ],
    renewal: (timeout) => (isPerFlow ? "" : `update @numbers { ${key} ${timeout} : meta mark }`),
    mappedPort: " : meta mark map @ports",
    recognition: "meta mark set th dport map @marks",
  };
}

/** A part of the other end's endpoint in the rules, by the way of the packet. */
interface RemotePart {
  type: string;
  leaving: string;
  arriving: string;
}

export function dependsOn(dependence: Dependence): RemotePart[] {
  const address = { type: "ipv4_addr", leaving: "ip daddr", arriving: "ip saddr" };
  const port = { type: "inet_service", leaving: "th dport", arriving: "th sport" };
  if (dependence === "endpoint_independent") return [];
  return dependence === "address_dependent" ? [address] : [address, port];
}
