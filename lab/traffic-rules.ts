/** What a router forwards besides its NAT, and the chains and sets that its switches fill. */
export const trafficRules = `
table ip traffic {
  set blocked { type ipv4_addr; }
  chain cut { }
  chain loss { }
  chain forward {
    type filter hook forward priority filter; policy drop;
    jump cut
    ip saddr @blocked drop
    ip daddr @blocked drop
    jump loss
    ct state invalid drop
    ct state established,related accept
    iifname "lan" oifname "wan" accept
    ct status dnat accept
  }
  chain input {
    type filter hook input priority filter; policy accept;
    iifname "wan" ip protocol != icmp drop
  }
}
`;

/** What leaves may be answered; what comes unasked is dropped. */
export const firewallRules = `
table ip6 traffic {
  chain forward {
    type filter hook forward priority filter; policy drop;
    ct state invalid drop
    ct state established,related accept
    iifname "lan" oifname "wan" accept
  }
}
`;

export function cutRules(isCut: boolean): string {
  return `flush chain ip traffic cut\n${isCut ? "add rule ip traffic cut drop\n" : ""}`;
}

/** @param percent of the packets that are lost, in each direction */
export function lossRules(percent: number): string {
  const rule = `numgen random mod 1000 < ${Math.round(percent * 10)} drop`;
  return `flush chain ip traffic loss\n${percent > 0 ? `add rule ip traffic loss ${rule}\n` : ""}`;
}

export function blockRules(address: string, isBlocked: boolean): string {
  return `${isBlocked ? "add" : "delete"} element ip traffic blocked { ${address} }\n`;
}
