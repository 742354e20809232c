import type { HoleTransport } from "../../shared/api/stun.ts";
import { formatEndpoint } from "./endpoint.ts";
import type { View } from "./trial.ts";

/** What it means that servers see different addresses through one hole, in sentences. */
export function describeDisagreement(views: readonly View[], transport: HoleTransport): string {
  const seen = views.map(({ server, mapped }) => `${formatEndpoint(mapped)} (by ${server})`);
  const addresses = new Set(views.map((each) => each.mapped.address));
  const reason =
    addresses.size === 1
      ? "the router gives each destination another port (endpoint-dependent mapping), or a server is wrong"
      : "traffic leaves by several ways, or a server is wrong";
  const hint =
    transport === "tcp"
      ? "A TCP hole needs a router that gives all destinations the same port."
      : "Others cannot reach this hole unless all see the same address.";
  return `The servers see different addresses: ${seen.join(", ")}; ${reason}. ${hint}`;
}
