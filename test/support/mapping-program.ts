import { answerAsked } from "../../lab/programs/asked.ts";
import { NatPmp } from "../../src/server/stun/nat-pmp.ts";
import { Pcp } from "../../src/server/stun/pcp.ts";
import type { MappingProtocol } from "../../src/server/stun/port-grant.ts";
import { PortMapping, type PortMappingState } from "../../src/server/stun/port-mapping.ts";
import { Upnp } from "../../src/server/stun/upnp.ts";

export interface MappingQuestion {
  router: string;
  localAddress: string;
  /** Which are tried; all when empty. */
  by: MappingProtocol["name"][];
  transport: "udp" | "tcp";
  port: number;
}

const WITHIN_MS = 2_000;
let mapping: PortMapping | undefined;

/** Keeps one port of the home router open, in the laboratory's home. */
answerAsked({
  start: async ({ router, localAddress, by, transport, port }: MappingQuestion) => {
    const at = { address: router, port: 5351 };
    const protocols = [
      new Pcp(at, localAddress, WITHIN_MS),
      new NatPmp(at, WITHIN_MS),
      new Upnp({ router, localAddress }),
    ].filter(({ name }) => by.length === 0 || by.includes(name));
    const told = Promise.withResolvers<PortMappingState>();
    mapping = new PortMapping({
      transport,
      port,
      protocols,
      onChanged: told.resolve,
      onDefect: told.reject,
    });
    mapping.start();
    return told.promise;
  },
  stop: async () => {
    await mapping?.stop();
    return mapping?.state;
  },
});
