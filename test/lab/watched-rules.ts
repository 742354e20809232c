import { expect } from "vitest";
import type { MappingChange, RuleState, RuleStatus } from "../../src/shared/api/stun.ts";
import type { RuleAtHome } from "../support/rule-at-home.ts";
import type { ServiceAtHome } from "../support/service-at-home.ts";

/** Two, and another address of the first one, which lies when the first one does. */
const THREE_SERVERS = ["stun1.test:3478", "stun2.test:3478", "203.0.113.12:3478"];

/** Open rules over UDP and TCP, with the two servers of the service and with three. */
export class WatchedRules {
  readonly all: readonly RuleAtHome[];
  readonly #before: readonly MappingChange[][];

  private constructor(all: readonly RuleAtHome[], before: readonly MappingChange[][]) {
    this.all = all;
    this.#before = before;
  }

  static async open(service: ServiceAtHome): Promise<WatchedRules> {
    const rules: RuleAtHome[] = [];
    for (const servers of [[], THREE_SERVERS]) {
      for (const transport of ["udp", "tcp"] as const) {
        rules.push(await service.createRule({ transport, stun_servers: servers }));
      }
    }
    await Promise.all(rules.map((rule) => rule.becomes("open")));
    return new WatchedRules(rules, await Promise.all(rules.map((rule) => rule.changes())));
  }

  become(status: RuleStatus, patienceMs?: number): Promise<RuleState[]> {
    return Promise.all(this.all.map((rule) => rule.becomes(status, patienceMs)));
  }

  async haveNotChanged(): Promise<void> {
    const changes = await Promise.all(this.all.map((rule) => rule.changes()));
    // oxlint-disable-next-line vitest/no-standalone-expect -- tests call it
    expect(changes).toEqual(this.#before);
  }

  /** Open at the same mapping as at first, now and some probes later. */
  async areAsBefore(patienceMs?: number): Promise<void> {
    await this.become("open", patienceMs);
    await Promise.all(this.all.map((rule) => rule.isProbedAgain(2)));
    const states = await this.become("open");
    await this.haveNotChanged();
    for (const [index, { public_ip, public_port }] of states.entries()) {
      // oxlint-disable-next-line vitest/no-standalone-expect -- tests call it
      expect(this.#before[index]).toMatchObject([{ public_ip, public_port, changed: [] }]);
    }
  }
}
