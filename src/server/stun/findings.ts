import type { HostPort } from "../lib/host-port.ts";
import type { Dependence, Sighting } from "./behaviour.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Surroundings } from "./surroundings.ts";

/** One server of the list. Exactly one of `mapped` and `error` is set. */
export interface AskedServer {
  named: HostPort;
  /** Undefined when its name has no address of the family in use. */
  address: Endpoint | undefined;
  mapped: Endpoint | null;
  rttMs: number | null;
  error: string | null;
}

/** All that a diagnosis knows, before it is put into words. */
export interface Findings {
  transport: "udp" | "tcp";
  servers: readonly AskedServer[];
  mapping: Dependence;
  /** What few servers say, other than the rest. */
  odd: readonly Sighting[];
  arePortsCompared: boolean;
  filtering: Dependence;
  hairpin: boolean | null;
  /** The public address that most servers saw. */
  publicIp: string | null;
  /** The same over the other transport; null when nobody answered there. */
  publicIpByOther: string | null;
  /** Null when no server could be resolved. */
  surroundings: Surroundings | null;
  /** What the router says of its own outer address; null when it says nothing. */
  routerIp: string | null;
}
