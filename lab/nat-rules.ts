import type { NatBehaviour } from "./nat-behaviour.ts";
import { dependsOn, namesByMark, namesByPort, type MappingNames } from "./nat-names.ts";

export interface NatState {
  behaviour: NatBehaviour;
  publicAddress: string;
  /** The mapped ports that are handed out, in this order. */
  ports: readonly number[];
}

/** How much longer the NAT remembers than the kernel's connection tracking. */
const GRACE_SECONDS = 1;
/** Set in the mark of a TCP flow from its first FIN or RST on. */
const CLOSING_MARK = 0x10000;
const MEMORY = "flags dynamic,timeout; size 65535;";
const TRANSPORTS = "meta l4proto { tcp, udp }";

/**
 * The NAT as nftables rules. Loaded in one transaction, they replace the former ones and forget
 * everything that was mapped.
 *
 * The map `insides` leads from a mapping to its inside endpoint, the set `allowed` holds who may
 * send to it. Both are renewed by each packet that leaves.
 */
export function natRules(state: NatState): string {
  const { behaviour } = state;
  const names = namesOf(state);
  const remote = dependsOn(behaviour.filtering);
  const allowedType = ["inet_proto", names.type, ...remote.map((part) => part.type)].join(" . ");
  const allowed = ["meta l4proto", names.leaving, ...remote.map((part) => part.leaving)].join(
    " . ",
  );
  const renewal = (name: string, seconds: number) => {
    const timeout = `timeout ${seconds + GRACE_SECONDS}s`;
    return `
  chain renew_${name} {
    ${names.renewal(timeout)}
    update @insides { meta l4proto . ${names.leaving} ${timeout} : ip saddr . th sport }
    update @allowed { ${allowed} ${timeout} }
  }`;
  };
  return `
table ip nat
delete table ip nat
table ip nat {
  ${names.declarations(MEMORY)}
  map insides { type inet_proto . ${names.type} : ipv4_addr . inet_service; ${MEMORY} }
  set allowed { type ${allowedType}; ${MEMORY} }
  ${renewal("udp", behaviour.udpTimeoutSeconds)}
  ${renewal("tcp", behaviour.tcpTimeoutSeconds)}
  ${renewal("closing", behaviour.tcpClosingSeconds)}
  chain assign {
    ${lines(names.mapping)}
    meta l4proto udp goto renew_udp
    tcp flags & (fin | rst) != 0 ct mark set ct mark | ${CLOSING_MARK}
    ct mark & ${CLOSING_MARK} != 0 goto renew_closing
    goto renew_tcp
  }
  chain inward {
    ${TRANSPORTS} dnat ip to meta l4proto . ${names.arriving} map @insides
  }
  chain leaving {
    type filter hook postrouting priority srcnat - 10; policy accept;
    ${lines(leavingPackets(behaviour).map((packet) => `${packet} ct direction original ${TRANSPORTS} jump assign`))}
  }
}
${addressRules(state)}`;
}

/** The part of the rules that knows the public address; it replaces its former self alone. */
export function addressRules(state: NatState): string {
  const { behaviour, publicAddress } = state;
  const names = namesOf(state);
  const remote = dependsOn(behaviour.filtering);
  const allowed = ["meta l4proto", names.arriving, ...remote.map((part) => part.arriving)];
  const source = `${TRANSPORTS} snat ip to ${publicAddress}${names.mappedPort}`;
  return `
table ip nat {
  chain source { type nat hook postrouting priority srcnat; policy accept; }
  chain destination { type nat hook prerouting priority dstnat; policy accept; }
}
flush chain ip nat source
flush chain ip nat destination
table ip nat {
  chain source {
    ${lines(leavingPackets(behaviour).map((packet) => `${packet} ${source}`))}
    oifname "wan" snat ip to ${publicAddress}
  }
  chain destination {
    ip daddr != ${publicAddress} return
    ${names.recognition}
    iifname "wan" ${remote.length > 0 ? `${allowed.join(" . ")} @allowed` : ""} goto inward
    ${behaviour.hairpin ? 'iifname "lan" goto inward' : ""}
  }
}
`;
}

/** Nothing is forwarded while flows are forgotten, so that nobody sees a mixture of two NATs. */
export const closeRules = `
table ip nat {
  chain barrier {
    type filter hook forward priority filter - 10; policy accept;
    drop
  }
}
`;

export const openRules = "flush chain ip nat barrier\n";

function namesOf({ behaviour, ports }: NatState): MappingNames {
  return behaviour.keepsPorts ? namesByPort : namesByMark(behaviour.mapping, ports);
}

function leavingPackets(behaviour: NatBehaviour): string[] {
  const turning = 'iifname "lan" oifname "lan" ct status dnat';
  return ['oifname "wan"', ...(behaviour.hairpin ? [turning] : [])];
}

function lines(rules: readonly string[]): string {
  return rules.join("\n    ");
}
