import { NodeSockets } from "../../src/probe/node/sockets.ts";
import { Probe, type CheckTarget, type ProbeParts } from "../../src/probe/probe.ts";
import { parseServerAddress, type ServerAddress } from "../../src/probe/server-address.ts";
import type { Resolver } from "../../src/probe/sockets.ts";
import { TargetPolicy } from "../../src/probe/target-policy.ts";

/** Dials whatever it is told to. */
export const anyTarget = new TargetPolicy("any", []);

/** Knows the names it was given, and what it was asked. */
export class FakeResolver implements Resolver {
  readonly asked: string[] = [];
  readonly #answers: Readonly<Record<string, (time: number) => string[]>>;

  /** @param answers per name, by how often it was asked before */
  constructor(answers: Readonly<Record<string, (time: number) => string[]>> = {}) {
    this.#answers = answers;
  }

  async resolve(name: string): Promise<string[]> {
    const time = this.asked.filter((each) => each === name).length;
    this.asked.push(name);
    return this.#answers[name]?.(time) ?? [];
  }
}

/** A probe on real sockets. */
export function realProbe(parts: Partial<ProbeParts> = {}): Probe {
  return new Probe({
    sockets: new NodeSockets(),
    resolver: new FakeResolver(),
    now: () => performance.now(),
    ...parts,
  });
}

export function addressOf(text: string): ServerAddress {
  const address = parseServerAddress(text);
  if (!address) throw new Error(`${text} is no server`);
  return address;
}

/** A member of the network ("net", "secret") unless it says otherwise. */
export function targetOf(server: string, asked: Partial<CheckTarget> = {}): CheckTarget {
  return { server: addressOf(server), networkName: "net", networkSecret: "secret", ...asked };
}
