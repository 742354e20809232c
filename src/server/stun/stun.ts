import { setTimeout as sleep } from "node:timers/promises";
import type { Metric } from "prom-client";
import { NodeResolver } from "../../probe/node/resolver.ts";
import type { Resolver } from "../../probe/sockets.ts";
import type { Config } from "../config.ts";
import type { Database, Db } from "../database/database.ts";
import { systemChance, type Chance } from "../lib/chance.ts";
import type { Clock } from "../lib/clock.ts";
import type { HostPort } from "../lib/host-port.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker, type Worker } from "../lib/worker.ts";
import { noSubscriber, type ChangeSubscriber } from "./change-port.ts";
import type { HoleFactory } from "./hole-keeper.ts";
import { knownKeepaliveHosts, knownServers } from "./known-servers.ts";
import { stunMetrics } from "./metrics.ts";
import { NameCache } from "./name-cache.ts";
import { NeighbourNews } from "./neighbour-news.ts";
import { ObservationRetention } from "./observation-retention.ts";
import { ObservationStore } from "./observation-store.ts";
import { ObservationWriter } from "./observation-writer.ts";
import { PortMappedHole } from "./port-mapped-hole.ts";
import { StandIns, type Neighbours } from "./stand-ins.ts";
import { StunService } from "./service.ts";
import { surroundingsOf } from "./surroundings.ts";
import { TcpHole } from "./tcp-hole.ts";
import { systemTimekeeper, TimerWheel, type Timekeeper } from "./timer-wheel.ts";
import { UdpHole } from "./udp-hole.ts";
import { Watcher } from "./watcher.ts";

/** What a caller may put in place of the real thing. */
export interface StunOptions {
  createHole?: HoleFactory;
  resolver?: Resolver;
  time?: Timekeeper;
  chance?: Chance;
}

export interface StunGround {
  config: Pick<Config, "stunServers" | "instance"> & Partial<Pick<Config, "portMapping">>;
  database: Database;
  clock: Clock;
  logger: Logger;
  options: StunOptions;
  /** Acts on changes; absent = nobody. */
  subscriber?: ChangeSubscriber;
  /** Names of what needs a rule; absent = nothing does. */
  ruleUsers?: (ruleId: number, transaction: Db) => Promise<string[]>;
  /** Where the service itself listens. */
  ownListener: () => HostPort;
  /** Other instances on the same storage; absent = there can be none. */
  neighbours?: Neighbours | undefined;
}

const SETTLE_EVERY_MS = 2_000;
const SYNC_EVERY_MS = 10_000;
const STAND_IN_EVERY_MS = 1_000;
const RETENTION_EVERY_MS = 600_000;
/** What a storage that hangs may take of the time that the whole service has to stop. */
const LAST_SETTLING_MS = 1_500;

/** The holes of this instance and all that belongs to them. */
export class Stun implements Part {
  readonly name = "stun";
  readonly service: StunService;
  readonly watcher: Watcher;
  readonly metrics: Metric[];
  readonly #retention: ObservationRetention;
  readonly #standIns: StandIns | undefined;
  readonly #workers: Worker[];

  constructor(ground: StunGround) {
    const { config, database, clock, logger, options } = ground;
    const { time = systemTimekeeper, chance = systemChance } = options;
    const resolver = options.resolver ?? new NodeResolver();
    const createHole = options.createHole ?? holeFactory({ clock, chance, resolver });
    const store = new ObservationStore(database);
    const observations = new ObservationWriter({
      store,
      ruleCount: () => this.watcher.watches.size,
      isUnavailable: (error) => database.dialect.isUnavailable(error),
      logger,
    });
    this.watcher = new Watcher({
      database,
      logger,
      clock,
      time,
      chance,
      createHole: config.portMapping ? withPortMapping(createHole, logger) : createHole,
      observations,
      wheel: new TimerWheel(time, (error) => logger.error({ err: error }, "a timer's call failed")),
      names: new NameCache(resolver, time),
      instance: config.instance,
      subscriber: ground.subscriber ?? noSubscriber,
      defaultServers: (transport) =>
        config.stunServers.length > 0 ? config.stunServers : knownServers(transport),
    });
    const { watcher } = this;
    const { instance } = config;
    const { ownListener, ruleUsers = async () => [] } = ground;
    const parts = { database, clock, instance, watcher, createHole, ownListener, ruleUsers };
    const { neighbours } = ground;
    const neighbourNews =
      neighbours && new NeighbourNews(database.db, instance, neighbours, logger);
    this.service = new StunService({ ...parts, observations: store, neighbourNews });
    this.metrics = stunMetrics(watcher);
    this.#retention = new ObservationRetention(store, clock);
    this.#standIns =
      neighbours && new StandIns({ database, instance, watcher, neighbours, logger });
    this.#workers = [
      new PeriodicWorker("stand-ins", STAND_IN_EVERY_MS, () => this.#standIns?.tick(), logger),
      new PeriodicWorker("probes", SETTLE_EVERY_MS, () => watcher.settle(), logger),
      new PeriodicWorker("rules", SYNC_EVERY_MS, () => watcher.sync(), logger),
      new PeriodicWorker("old probes", RETENTION_EVERY_MS, () => this.#retention.run(), logger),
    ];
  }

  async start(): Promise<void> {
    await this.watcher.sync();
    for (const worker of this.#workers) worker.start();
  }

  /** Closes the holes and stores what is known, if the storage answers soon. */
  async stop(): Promise<void> {
    await this.watcher.stop();
    const settled = this.#settleLast();
    await Promise.race([settled, sleep(LAST_SETTLING_MS, undefined, { ref: false })]);
  }

  /** Does now what the workers do by time. */
  async runWorkersOnce(): Promise<void> {
    await this.#standIns?.tick();
    await this.watcher.sync();
    await this.watcher.settle();
    await this.#retention.run();
  }

  async #settleLast(): Promise<void> {
    for (const worker of this.#workers) await worker.stop();
    await this.watcher.settleLast();
  }
}

interface HoleGround {
  clock: Clock;
  chance: Chance;
  resolver: Resolver;
}

/** Holes on sockets of this host. */
function holeFactory(ground: HoleGround): HoleFactory {
  return ({ transport, localAddress, localPort, keepaliveHosts: given }, events) => {
    if (transport === "udp") return new UdpHole({ ...ground, localAddress, localPort, events });
    const keepaliveHosts = given.length > 0 ? given : knownKeepaliveHosts;
    return new TcpHole({ ...ground, localAddress, localPort, keepaliveHosts, events });
  };
}

/** Holes whose ports the home router forwards, where it does. */
function withPortMapping(createHole: HoleFactory, logger: Logger): HoleFactory {
  return (plan, events) => {
    const { localAddress } = plan;
    const hole = createHole(plan, events);
    return new PortMappedHole({ hole, localAddress, surroundingsOf, logger });
  };
}
