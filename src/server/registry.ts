import type { Config } from "./config.ts";
import { openDatabase, type Database, type Db } from "./database/database.ts";
import { openInstances, type InstanceOptions, type Instances } from "./instances/instances.ts";
import type { Clock } from "./lib/clock.ts";
import type { Lifecycle } from "./lib/lifecycle.ts";
import type { Logger } from "./lib/logger.ts";
import { loadFleet } from "./nodes/fleet-loader.ts";
import type { Fleet } from "./nodes/fleet.ts";
import type { NodeService } from "./nodes/service.ts";
import { Reports } from "./reports/reports.ts";

/** What every part may need. */
interface RegistryGround {
  config: Config;
  options: { instances?: InstanceOptions; onFatal?: (error: Error) => void };
  clock: Clock;
  logger: Logger;
  lifecycle: Lifecycle;
}

/** Makes this process known to others on the same storage, too; it leaves when all else has stopped. */
export async function openStorage({ config, options, clock, logger, lifecycle }: RegistryGround) {
  const database = await openDatabase(config.database, clock, logger);
  lifecycle.add({ name: "database", stop: () => database.close() });
  const instances = await openInstances({
    database,
    instance: config.instance,
    logger,
    options: options.instances ?? {},
    onReplaced: (error) => {
      logger.fatal({ err: error }, "this process must not go on");
      options.onFatal?.(error);
    },
  });
  if (instances) lifecycle.add({ name: "instances", stop: () => instances.close() });
  return { database, instances };
}

interface ReportGround {
  database: Database;
  fleet: Fleet;
  nodes: NodeService;
  instances: Instances | undefined;
}

/** Fills the fleet, too: the journal must be in the tables before they are read. */
export async function openReports(
  ground: RegistryGround,
  { database, fleet, nodes, instances }: ReportGround,
): Promise<Reports> {
  const { config, options, clock, logger, lifecycle } = ground;
  const reports = await Reports.open({
    database,
    fleet,
    instance: config.instance,
    clock,
    logger,
    onFatal: (error) => {
      logger.fatal({ err: error }, "the storage can no longer be trusted");
      options.onFatal?.(error);
    },
  });
  // Closes the journal even if the service never starts.
  lifecycle.add({ name: "journal", stop: () => reports.stop() });
  const load = async (transaction: Db) => {
    await nodes.follow(transaction);
    await loadFleet(transaction, fleet, clock);
  };
  await reports.load(load);
  lifecycle.add({ name: "reports", start: () => reports.start() });
  if (!instances) return reports;
  reports.follow(instances, () => instances.isBehind);
  const follower = instances.follow({
    readReports: () => reports.followed.read(),
    catchUpWithNodes: () => nodes.catchUp(),
    loadAgain: () => reports.loadAgain(load),
    dropOldChanges: () => nodes.dropOldChanges(),
  });
  lifecycle.add(follower);
  return reports;
}
