import { addressKind } from "./address-kind.ts";
import { adviceOnBehaviour } from "./advice-on-behaviour.ts";
import { formatHostPort } from "../lib/host-port.ts";
import type { AskedServer, Findings } from "./findings.ts";

/** What is advised at all, and when; each rule gives the sentences for its case, or none. */
type Rule = (findings: Findings) => string[];

/** In the order in which they are said: first what falsifies everything that follows. */
const rules: readonly Rule[] = [
  onNames,
  onSilence,
  onContainer,
  onTunnel,
  onImplausibleSpeed,
  onSeveralWays,
  onOtherTransport,
  onNestedRouters,
  adviceOnBehaviour,
];

/** What the findings mean for somebody who runs a service at home, and what to do. */
export function advise(findings: Findings): string[] {
  return rules.flatMap((rule) => rule(findings));
}

function onNames({ servers }: Findings): string[] {
  const unresolved = servers.filter(({ address }) => address === undefined);
  const madeUp = servers.find(
    ({ address }) => address && addressKind(address.address) === "made_up",
  );
  const sentences: string[] = [];
  if (madeUp?.address) {
    sentences.push(
      `The name ${madeUp.named.host} leads to ${madeUp.address.address}, an address that proxy programs make up.`,
      "Let the proxy pass the names of the STUN servers, or name the servers by their addresses.",
    );
  }
  if (unresolved.length > 0) {
    const names = unresolved.map(({ named }) => formatHostPort(named)).join(", ");
    sentences.push(`No usable address was found for ${names}.`);
    if (unresolved.length === servers.length)
      sentences.push("Check the name servers of this machine.");
  }
  return sentences;
}

function onSilence({ servers, transport, publicIpByOther }: Findings): string[] {
  const asked = servers.filter(({ address }) => address !== undefined);
  if (asked.length === 0 || asked.some(({ mapped }) => mapped !== null)) return [];
  if (publicIpByOther === null) {
    return [
      "No server answered, neither over UDP nor over TCP.",
      "Check that this machine is online, and try other servers.",
    ];
  }
  return transport === "udp"
    ? [
        "No server answered over UDP, and over TCP they do: something on the way blocks UDP.",
        "Allow outgoing UDP in your router or firewall, or use a rule for TCP.",
      ]
    : [
        "No server answered over TCP, and over UDP they do: many servers answer over UDP only.",
        "Name STUN servers that answer over TCP.",
      ];
}

function onContainer({ surroundings }: Findings): string[] {
  if (!surroundings?.isBridged) return [];
  return [
    "This program runs in a container whose own network is one more NAT on the way.",
    "Start the container with the network of its host (network_mode: host).",
  ];
}

function onTunnel({ surroundings, publicIp }: Findings): string[] {
  const exit = surroundings?.exit;
  if (!exit?.isTunnel) return [];
  const seen = publicIp === null ? "" : `: ${publicIp} is its address and not that of your line`;
  return [
    `Traffic leaves by ${exit.interfaceName}, which belongs to a VPN or a proxy${seen}.`,
    "Exclude this program from the VPN, or set the local address of your home network.",
  ];
}

const SHORTEST_PUBLIC_RTT_MS = 1;

/** Two places cannot both be nearer than light travels; what answers stands in front of them. */
function onImplausibleSpeed({ servers }: Findings): string[] {
  const answered = servers.filter(isPublicAnswer);
  const networks = new Set(answered.map(({ address }) => networkOf(address?.address ?? "")));
  if (networks.size < 2 || !answered.every(isFast)) return [];
  return [
    "The answers come faster than servers elsewhere can give them: something near, such as a VPN or a proxy, seems to answer in their place.",
  ];
}

function isFast({ rttMs }: AskedServer): boolean {
  return rttMs !== null && rttMs < SHORTEST_PUBLIC_RTT_MS;
}

function isPublicAnswer({ address, mapped }: AskedServer): boolean {
  return mapped !== null && address !== undefined && addressKind(address.address) === "public";
}

/** The first two groups of the address. */
function networkOf(address: string): string {
  return address.split(/[.:]/).slice(0, 2).join(".");
}

function onSeveralWays({ servers }: Findings): string[] {
  const seen = [...new Set(servers.flatMap(({ mapped }) => (mapped ? [mapped.address] : [])))];
  if (seen.length < 2) return [];
  return [
    `Different servers see different addresses of you: ${seen.join(", ")}.`,
    "Either your traffic takes several ways, as with two lines or with a VPN for some destinations, or a server is wrong.",
  ];
}

function onOtherTransport({ transport, publicIp, publicIpByOther }: Findings): string[] {
  if (publicIp === null || publicIpByOther === null || publicIp === publicIpByOther) return [];
  const [udp, tcp] =
    transport === "udp" ? [publicIp, publicIpByOther] : [publicIpByOther, publicIp];
  return [
    `UDP leaves with the address ${udp} and TCP with ${tcp}: a VPN or a proxy takes one of them.`,
  ];
}

function onNestedRouters({ routerIp, publicIp, surroundings }: Findings): string[] {
  const ownIp = surroundings?.exit?.address;
  if (routerIp !== null && addressKind(routerIp) === "carrier") return onCarrier(routerIp);
  if (routerIp === null && ownIp !== undefined && addressKind(ownIp) === "carrier") {
    return surroundings?.exit?.isTunnel ? [] : onCarrier(ownIp);
  }
  if (routerIp !== null && addressKind(routerIp) === "private") {
    return [
      `Your router stands behind another router: its own outer address, ${routerIp}, is a private one.`,
      "To forward a port you need it on both routers; or let the outer one pass everything on (bridge mode).",
    ];
  }
  if (routerIp !== null && publicIp !== null && routerIp !== publicIp) {
    return [
      `Your router has the address ${routerIp} and servers see ${publicIp}: there is something between them, another NAT or a VPN.`,
    ];
  }
  return [];
}

function onCarrier(address: string): string[] {
  return [
    `Your provider has a NAT of its own: ${address} is an address that several customers share behind it.`,
    "A port that is forwarded on your own router alone cannot be reached from the internet.",
  ];
}
