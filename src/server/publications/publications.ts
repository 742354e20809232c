import { randomUUID } from "node:crypto";
import type { Metric } from "prom-client";
import type { ProviderName } from "../../shared/api/domains.ts";
import type { Database, Db } from "../database/database.ts";
import { systemChance, type Chance } from "../lib/chance.ts";
import type { Clock } from "../lib/clock.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import { gaugeOf } from "../lib/metric.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { RecordDoor } from "./attempt.ts";
import { Membership, type Shortlist } from "./membership.ts";
import { Publishing } from "./publishing.ts";
import { PublicationRunner } from "./runner.ts";
import { PublicationService } from "./service.ts";
import { readUsersOfAccount } from "./store.ts";

/** What a caller may put in place of the real thing. */
export interface PublicationOptions {
  chance?: Chance;
}

export interface PublicationGround {
  config: { instance: string };
  options: PublicationOptions;
  database: Database;
  clock: Clock;
  logger: Logger;
  http: Pick<OutgoingHttp, "exchange">;
  domains: RecordDoor & {
    providerOf(accountId: number, transaction: Db): Promise<ProviderName | undefined>;
  };
  shortlist: Shortlist;
  fleet: Fleet;
}

/** Lists of the best nodes, kept at domain accounts. */
export class Publications implements Part {
  readonly name = "publications";
  readonly service: PublicationService;
  readonly metrics: readonly Metric[];
  readonly #runner: PublicationRunner;

  constructor(ground: PublicationGround) {
    const { config, options, shortlist, fleet, domains } = ground;
    const membership = new Membership(shortlist, fleet);
    const owner = `${config.instance}:${randomUUID()}`;
    const chance = options.chance ?? systemChance;
    const publishing = new Publishing({ ...ground, membership, owner, chance });
    const runner = new PublicationRunner({ ...ground, membership, publishing, owner });
    const providerOf = (id: number, transaction: Db) => domains.providerOf(id, transaction);
    this.service = new PublicationService({ ...ground, membership, runner, providerOf });
    this.#runner = runner;
    this.metrics = [
      gaugeOf(
        "waypost_node_publications_failing",
        "Lists of nodes as DNS records whose last try failed.",
        () => runner.failing,
      ),
    ];
  }

  start(): Promise<void> {
    return this.#runner.start();
  }

  stop(): Promise<void> {
    return this.#runner.stop();
  }

  /** What may not go away while an account does: `TXT peers.example.com`. */
  usersOfDomainAccount(id: number, transaction: Db): Promise<string[]> {
    return readUsersOfAccount(transaction, id);
  }

  /** One look at what is due, and what that begins. */
  async runWorkersOnce(): Promise<void> {
    await this.#runner.look();
    await this.#runner.idle();
  }
}
