import type { Probe } from "../../probe/probe.ts";
import type { ServerAddress } from "../../probe/server-address.ts";
import { SlotsFull, type Slots } from "../../probe/slots.ts";
import { TargetPolicy, type PolicyMode, type Range } from "../../probe/target-policy.ts";
import type { Logger } from "../lib/logger.ts";
import type { AddressBudget } from "./address-budget.ts";
import type { Finding } from "./finding.ts";

/** Named in the handshake; no secret goes with it, and no node keeps anything about it. */
const NETWORK_NAME = "waypost-background-check";

export interface BackgroundProbeParts {
  probe: Pick<Probe, "check">;
  /** Shared with everybody who has something checked. */
  slots: Pick<Slots, "run">;
  policy: PolicyMode;
  allow: readonly Range[];
  budget: AddressBudget;
  logger: Logger;
}

/** Checks connections that nobody asked for: with no secret, and only where everybody may look. */
export class BackgroundProbe {
  readonly #parts: BackgroundProbeParts;

  constructor(parts: BackgroundProbeParts) {
    this.#parts = parts;
  }

  /**
   * @returns undefined when there is no place for it now
   * @throws the reason of `signal`
   */
  async check(server: ServerAddress, signal: AbortSignal): Promise<Finding | undefined> {
    const { probe, slots, logger } = this.#parts;
    const policy = new NotedPolicy(this.#parts);
    const target = { server, networkName: NETWORK_NAME, networkSecret: "", anonymous: true };
    try {
      const verdict = await slots.run(() => probe.check(target, policy, signal));
      if (policy.noted !== undefined) return { isOnline: null, error: policy.noted };
      return verdict;
    } catch (error) {
      if (error instanceof SlotsFull) return undefined;
      signal.throwIfAborted();
      logger.error({ err: error, server: server.host }, "a background check could not be done");
      return { isOnline: null, error: "The check could not be done" };
    }
  }
}

/** Remembers that it has refused an address: then nothing was dialled. */
class NotedPolicy extends TargetPolicy {
  noted: string | undefined;
  readonly #budget: AddressBudget;

  constructor({ policy, allow, budget }: BackgroundProbeParts) {
    super(policy, allow);
    this.#budget = budget;
  }

  override objection(address: string): string | undefined {
    const objection = super.objection(address) ?? this.#exhaustion(address);
    this.noted ??= objection;
    return objection;
  }

  #exhaustion(address: string): string | undefined {
    return this.#budget.take(address) ? undefined : "Too many connections lead to this address";
  }
}
