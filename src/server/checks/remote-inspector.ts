import type { CheckQuery, CheckResult } from "../../shared/api/checks.ts";
import type { CheckTarget, Probe } from "../../probe/probe.ts";
import { formatServerAddress } from "../../probe/server-address.ts";
import { toIso, type Clock } from "../lib/clock.ts";
import type { CheckFunction } from "./check-function.ts";
import type { Inspection, Inspector } from "./inspector.ts";
import { offline } from "./local-inspector.ts";

/** As many as a function on a Workers-type platform may connect to at once for one request. */
const GROUP = 6;

/**
 * Has a check function do the checks. Its results pass through as they are. Only what the target
 * policy refuses is answered from here: a name is resolved here to be judged, and the function,
 * which resolves it again, judges by a policy of its own.
 */
export class RemoteInspector implements Inspector {
  readonly mode = "remote";
  readonly #function: CheckFunction;
  readonly #probe: Probe;
  readonly #clock: Clock;

  constructor(checkFunction: CheckFunction, probe: Probe, clock: Clock) {
    this.#function = checkFunction;
    this.#probe = probe;
    this.#clock = clock;
  }

  one(target: CheckTarget, inspection: Inspection): Promise<CheckResult> {
    const { places, signal } = inspection;
    return places.run(async () => {
      signal.throwIfAborted();
      const objection = await this.#objectionTo(target, inspection);
      if (objection !== undefined) return offline(objection, toIso(this.#clock.now()));
      return this.#function.check(toQuery(target), signal);
    });
  }

  /** A few requests at the same time, for all that the policy allows. */
  batch(targets: readonly CheckTarget[], inspection: Inspection): Promise<CheckResult[]> {
    const { places, signal } = inspection;
    return places.run(async () => {
      signal.throwIfAborted();
      const objections = await Promise.all(
        targets.map((target) => this.#objectionTo(target, inspection)),
      );
      const allowed = targets.filter((_, index) => objections[index] === undefined);
      const results = await this.#askInGroups(allowed.map(toQuery), signal);
      const check_time = toIso(this.#clock.now());
      const next = results[Symbol.iterator]();
      return objections.map((objection) =>
        objection === undefined
          ? (next.next().value as CheckResult)
          : offline(objection, check_time),
      );
    });
  }

  /** What goes wrong with one group ends the others. */
  async #askInGroups(queries: readonly CheckQuery[], signal: AbortSignal): Promise<CheckResult[]> {
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    try {
      const groups = [...groupsOf(queries)].map((group) => this.#function.checkBatch(group, both));
      return (await Promise.all(groups)).flat();
    } finally {
      ended.abort();
    }
  }

  /** Why a target is not sent on; nothing is looked up when everything may be. */
  async #objectionTo({ server }: CheckTarget, { policy, signal }: Inspection) {
    if (policy.mode === "any") return undefined;
    const place = await this.#probe.locate(server, policy, signal);
    signal.throwIfAborted();
    return "error" in place ? place.error : undefined;
  }
}

function* groupsOf(queries: readonly CheckQuery[]): Generator<readonly CheckQuery[]> {
  for (let at = 0; at < queries.length; at += GROUP) yield queries.slice(at, at + GROUP);
}

function toQuery({ server, networkName, networkSecret }: CheckTarget): CheckQuery {
  return {
    server: formatServerAddress(server),
    network_name: networkName,
    network_secret: networkSecret,
  };
}
