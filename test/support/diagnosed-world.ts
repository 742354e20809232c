import type { DiagnosisParts } from "../../src/server/stun/diagnosis.ts";
import { NatWorld, type WorldSettings } from "./nat-world.ts";

const FULL_CONE = {
  mapping: "endpoint_independent",
  filtering: "endpoint_independent",
  hairpin: true,
} as const;

/** Two servers with two addresses each, by name, behind a full cone. */
const defaults: WorldSettings = {
  nat: FULL_CONE,
  servers: [
    { at: { address: "198.51.100.1", port: 3478 }, other: { address: "198.51.100.2", port: 3479 } },
    { at: { address: "192.0.2.1", port: 3478 }, other: { address: "192.0.2.2", port: 3479 } },
  ],
};

/** What a diagnosis needs, without a network: every name leads to a server of the world in turn. */
export function diagnosedWorld(settings: Partial<WorldSettings> = {}): DiagnosisParts {
  const world = new NatWorld({ ...defaults, ...settings });
  const { servers } = world.settings;
  let asked = 0;
  return {
    ports: world,
    resolver: { resolve: async () => [servers[asked++ % servers.length]?.at.address ?? ""] },
    surroundingsOf: async () => ({ exit: null, gateway: null, isBridged: false }),
    routerIp: async () => null,
  };
}
