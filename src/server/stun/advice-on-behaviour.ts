import { formatEndpoint } from "./endpoint.ts";
import type { Findings } from "./findings.ts";

/** What mapping, filter and hairpin mean, and what to do about it. */
export function adviceOnBehaviour(findings: Findings): string[] {
  if (findings.publicIp === null) return [];
  return [...onMapping(findings), ...onOdd(findings), ...onHairpin(findings)];
}

function onMapping(findings: Findings): string[] {
  switch (findings.mapping) {
    case "none":
      return [
        "This machine has the public address itself: there is no NAT in between.",
        findings.filtering === "none"
          ? "Whoever knows the address and port is let in."
          : "Only a firewall can still keep visitors out.",
      ];
    case "endpoint_independent":
      return onHole(findings);
    case "address_dependent":
    case "address_and_port_dependent":
      return onDependentMapping(findings);
    default:
      return [
        "One server alone cannot tell whether the public port is the same for everybody.",
        "Name a second server with another address.",
      ];
  }
}

function onHole({ transport, filtering }: Findings): string[] {
  if (transport === "tcp") {
    return [
      "The public port stays the same whoever you speak to, so that a TCP rule can work.",
      "Whether visitors are let in can only be seen from outside: open the address with a phone that is not in your Wi-Fi.",
    ];
  }
  const hole = "The public port stays the same whoever you speak to, so that a UDP rule can work.";
  switch (filtering) {
    case "endpoint_independent":
    case "none":
      return [hole, "Everybody is let in while the rule holds the port open."];
    case "address_dependent":
    case "address_and_port_dependent":
      return [
        "The public port stays the same whoever you speak to.",
        "Your router lets in only those you have sent to before, so that new visitors are turned away.",
        "Forward the port on your router, or set its NAT type to full cone; programs that contact each other at the same time get through as it is.",
      ];
    default:
      return [
        hole,
        "None of the servers can try whether visitors are let in; one with two addresses can, such as a coturn of your own.",
      ];
  }
}

function onDependentMapping({ mapping, transport, arePortsCompared }: Findings): string[] {
  const who = mapping === "address_dependent" ? "everybody" : "everybody and every port";
  const sentences = [
    `Your NAT uses another public port for ${who} you speak to, so that no address can be told that works for all.`,
    `A ${transport.toUpperCase()} rule cannot work behind it.`,
    "Set the NAT type of your router to full cone if it offers that, or forward the port on it.",
    "Where the NAT is your provider's, ask for an IPv4 address of your own, or use IPv6.",
  ];
  if (!arePortsCompared) {
    sentences.push("Whether the port of the other side matters, too, could not be seen.");
  }
  return sentences;
}

function onOdd({ odd }: Findings): string[] {
  const said = new Map(odd.map((each) => [each.server.address, each]));
  return [...said.values()].map(
    ({ server, mapped }) =>
      `${formatEndpoint(server)} says ${formatEndpoint(mapped)}, unlike the others: do without it if that lasts.`,
  );
}

function onHairpin({ hairpin }: Findings): string[] {
  if (hairpin !== false) return [];
  return [
    "Your router does not lead from inside to your own public address: at home use the local address, and test from outside.",
  ];
}
