import { policyModeOf } from "../../probe/policy-mode.ts";
import { Probe, type ProbeParts } from "../../probe/probe.ts";
import { NodeResolver } from "../../probe/node/resolver.ts";
import { NodeSockets } from "../../probe/node/sockets.ts";
import { Slots } from "../../probe/slots.ts";
import type { Config } from "../config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { CheckAccess } from "./access.ts";
import { CheckFunction } from "./check-function.ts";
import type { Inspector } from "./inspector.ts";
import { CountedPolicy } from "./counted-policy.ts";
import { CheckLimits } from "./limits.ts";
import { LocalInspector } from "./local-inspector.ts";
import { CheckMeter } from "./meter.ts";
import { RemoteInspector } from "./remote-inspector.ts";
import { CheckService } from "./service.ts";

/** What a caller may put in place of the real thing. */
export interface CheckOptions extends Partial<ProbeParts> {
  /** How long the check function may take. */
  remoteTimeoutMs?: number;
}

export interface ChecksGround {
  config: Config;
  clock: Clock;
  fleet: Fleet;
  options: CheckOptions;
}

/** Checks that run at once, and how many more wait for one to end. */
const AT_ONCE = 64;
const WAITING = 256;
const REMOTE_LIMIT_MS = 20_000;

/** Builds the parts that do and guard the online checks. */
export function assembleChecks({ config, clock, fleet, options }: ChecksGround) {
  const { policy, allow, apiKey } = config.checks;
  const { remoteTimeoutMs = REMOTE_LIMIT_MS, ...ofProbe } = options;
  const probeParts = {
    sockets: new NodeSockets(),
    resolver: new NodeResolver(),
    now: () => performance.now(),
    ...ofProbe,
  };
  const probe = new Probe(probeParts);
  const policies = {
    public: new CountedPolicy("public", allow),
    any: new CountedPolicy("any", allow),
  };
  const slots = new Slots(AT_ONCE, WAITING);
  const meter = new CheckMeter(slots, () => policies.public.refused + policies.any.refused);
  return {
    probe,
    slots,
    policies,
    meter,
    access: new CheckAccess(apiKey, config.rateLimit, clock),
    policyFor: ({ headers }: { headers: Parameters<typeof policyModeOf>[2] }) =>
      policies[policyModeOf(policy, config, headers)],
    service: new CheckService({
      inspector: toInspector(),
      limits: new CheckLimits(slots, config.rateLimit, clock),
      meter,
      clock,
      now: probeParts.now,
    }),
  };

  function toInspector(): Inspector {
    const { remoteUrl: origin, remoteKey: key } = config.checks;
    if (origin === undefined) return new LocalInspector(probe, fleet, clock);
    const checkFunction = new CheckFunction({ origin, key, timeoutMs: remoteTimeoutMs });
    return new RemoteInspector(checkFunction, probe, clock);
  }
}
