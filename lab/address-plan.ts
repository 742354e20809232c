/**
 * Who has which address. The internet of the laboratory is made of the ranges that RFC 5737
 * reserves for documentation, so that nothing in it can be mistaken for a real host.
 */

export const HOME = {
  host: "192.168.77.10",
  /** A second address of the home host, for what needs to choose its source. */
  secondary: "192.168.77.20",
  gateway: "192.168.77.1",
  prefix: "192.168.77.0/24",
};

/** Between a home router and a carrier's NAT (RFC 6598). */
export const CARRIER = {
  gateway: "100.64.0.1",
  prefix: "100.64.0.0/24",
  pool: ["100.64.0.10", "100.64.0.11", "100.64.0.12", "100.64.0.13"],
};

export const INTERNET = {
  prefix: "203.0.113.0/24",
  /** Public addresses that the outermost NAT may use. */
  pool: ["198.51.100.10", "198.51.100.11", "198.51.100.12", "198.51.100.13"],
  poolPrefix: "198.51.100.0/24",
  stranger: "203.0.113.99",
  /** Another address of the stranger. */
  otherStranger: "203.0.113.98",
};

/**
 * Of the range that RFC 3849 reserves. Nothing is translated: the home's hosts have addresses of the
 * prefix that is theirs at the time. Between the machines link-local addresses lead the way.
 */
export const IPV6 = {
  /** Those that the home may have, one at a time. */
  prefixes: ["2001:db8:a::", "2001:db8:b::", "2001:db8:c::"],
  /** What stands behind a prefix: the home host's address, and a second one. */
  host: "10",
  secondary: "20",
  internet: "2001:db8:f::/64",
  stranger: "2001:db8:f::99",
  /** The router's, towards the home and towards the internet. */
  gateway: "fe80::1",
  router: "fe80::2",
};

export const STUN_SERVERS = [
  {
    name: "stun1.test",
    addresses: ["203.0.113.11", "203.0.113.12"],
    ipv6: ["2001:db8:f::11", "2001:db8:f::12"],
  },
  {
    name: "stun2.test",
    addresses: ["203.0.113.21", "203.0.113.22"],
    ipv6: ["2001:db8:f::21", "2001:db8:f::22"],
  },
] as const;

/** `closeAfterMs` null: connections stay; 0: closed with the first answer; else cut after that. */
export const WEB_HOSTS = [
  { name: "web1.test", address: "203.0.113.31", ipv6: "2001:db8:f::31", closeAfterMs: null },
  { name: "web2.test", address: "203.0.113.32", ipv6: "2001:db8:f::32", closeAfterMs: null },
  { name: "web3.test", address: "203.0.113.33", ipv6: "2001:db8:f::33", closeAfterMs: 0 },
] as const;
