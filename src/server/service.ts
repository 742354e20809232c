import { join } from "node:path";
import type { CallbackOptions, Callbacks } from "./callbacks/callbacks.ts";
import { BackgroundChecks } from "./checks/background.ts";
import { assembleChecks, type CheckOptions } from "./checks/checks.ts";
import type { Config } from "./config.ts";
import { ConnectService } from "./connect/service.ts";
import type { Database } from "./database/database.ts";
import { databaseMetrics } from "./database/metrics.ts";
import type { EventOptions } from "./events/service.ts";
import { openHoles } from "./holes.ts";
import { buildApp, type HttpApp, type HttpOptions } from "./http/app.ts";
import { createAuth } from "./http/auth.ts";
import type { InstanceOptions } from "./instances/instances.ts";
import { systemChance, type Chance } from "./lib/chance.ts";
import { systemClock, type Clock } from "./lib/clock.ts";
import { Lifecycle, type Part } from "./lib/lifecycle.ts";
import { createLogger, type Logger } from "./lib/logger.ts";
import { Fleet } from "./nodes/fleet.ts";
import { NodeService } from "./nodes/service.ts";
import { nodeWorkers } from "./nodes/workers.ts";
import { PublicList } from "./public/service.ts";
import { QueryService } from "./query/service.ts";
import { openReports, openStorage } from "./registry.ts";
import type { PublicationOptions, Publications } from "./publications/publications.ts";
import type { Reports } from "./reports/reports.ts";
import { StatsService } from "./stats/service.ts";
import { DiagnosisService } from "./stun/diagnosis-service.ts";
import { Diagnosis, type DiagnosisParts } from "./stun/diagnosis.ts";
import type { Stun, StunOptions } from "./stun/stun.ts";
import { systemParts } from "./stun/system-ports.ts";
import { backupMetrics } from "./system/backup-note.ts";
import { JWT_SECRET_FILE, loadJwtSecret } from "./system/jwt-secret.ts";
import { showSettings } from "./system/shown-settings.ts";
import { SystemService } from "./system/service.ts";
import { assembleUsers } from "./users/users.ts";
import { VERSION } from "./version.ts";

/** What a caller may put in place of the real thing. */
export interface ServiceOptions {
  clock?: Clock;
  logger?: Logger;
  random?: Chance;
  http?: Partial<HttpOptions>;
  checks?: CheckOptions;
  diagnosis?: Partial<DiagnosisParts>;
  stun?: StunOptions;
  callbacks?: CallbackOptions;
  publications?: PublicationOptions;
  events?: Partial<EventOptions>;
  instances?: InstanceOptions;
  /** The storage can no longer be trusted: the process must end without another write. */
  onFatal?: (error: Error) => void;
}

export interface SetupSecret {
  /** The secret itself when this start has made it: nobody has seen it yet. */
  fresh: string | undefined;
  /** The setting or the file that holds it. */
  place: string;
}

export interface Service {
  /** `http://host:port` once started; one that can be called. */
  readonly origin: string;
  readonly fleet: Fleet;
  readonly reports: Reports;
  readonly background: BackgroundChecks;
  readonly stun: Stun;
  readonly callbacks: Callbacks;
  readonly publications: Publications;
  readonly setupSecret: SetupSecret;
  /** Whether there is an administrator. */
  isInitialized(): Promise<boolean>;
  /** Listens once everything else runs. */
  start(): Promise<void>;
  /** Ends requests and work that have begun, within a deadline, and closes the storage. */
  stop(): Promise<void>;
}

const CLOSE_DEADLINE_MS = 3_000;

/** What every part may need. */
interface Ground {
  config: Config;
  options: ServiceOptions;
  clock: Clock;
  logger: Logger;
  lifecycle: Lifecycle;
}

/**
 * Builds every part; the only place that knows them all.
 * @throws DatabaseOpenError, SchemaTooNewError
 */
export async function createService(
  config: Config,
  options: ServiceOptions = {},
): Promise<Service> {
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? createLogger(config.logLevel);
  const lifecycle = new Lifecycle(logger);
  try {
    return await assemble({ config, options, clock, logger, lifecycle });
  } catch (error) {
    await lifecycle.stop();
    throw error;
  }
}

async function assemble(ground: Ground): Promise<Service> {
  const { config, options, clock, logger, lifecycle } = ground;
  const { database, instances } = await openStorage(ground);
  const fleet = new Fleet();
  const nodes = new NodeService(database, fleet, clock);
  const reports = await openReports(ground, { database, fleet, nodes, instances });
  for (const worker of nodeWorkers(nodes, logger)) lifecycle.add(worker);
  const { checks, background, ...checkParts } = openChecks(ground, database, fleet, nodes);
  const diagnoses = openDiagnoses(ground);
  let origin = "";
  const place = { origin: () => origin, baseUrl: () => config.publicUrl ?? origin };
  const accounts = await openAccounts(ground, database, nodes, place.baseUrl);
  const query = new QueryService(fleet, clock, options.random ?? systemChance);
  const storage = { database, nodes, fleet, instances };
  const holes = await openHoles(ground, { ...storage, query, ...place, ...accounts });
  const http = await buildApp({
    http: { trustProxy: config.trustProxy, publicUrl: config.publicUrl, ...options.http },
    logger,
    isUnavailable: (error) => database.dialect.isUnavailable(error),
    findFault: (storageMatters) => findFault(ground, database, reports, storageMatters),
    ...accounts,
    settings: showSettings(config.stated),
    nodes,
    publicList: new PublicList(fleet, clock),
    stats: new StatsService({
      fleet,
      clock,
      nodes,
      db: database.db,
      openHistory: (nodeId) => reports.openHistory(nodeId),
    }),
    reports: reports.service,
    query,
    connect: new ConnectService(query, fleet),
    checks,
    ...checkParts,
    diagnoses,
    ...holes.routes,
    fleet,
    ...toMetrics(ground, database, reports),
    exposeVerificationToken: config.exposeVerificationToken,
  });
  addHttp(ground, http, (found) => (origin = found));
  addEndings(ground, http, { checks, diagnoses, events: holes.events });
  return {
    get origin() {
      return origin;
    },
    fleet,
    reports,
    background,
    stun: holes.stun,
    callbacks: holes.callbacks,
    publications: holes.publications,
    setupSecret: accounts.setupSecret,
    isInitialized: () => accounts.system.isInitialized(),
    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
  };
}

function toMetrics({ config, logger }: Ground, database: Database, reports: Reports) {
  return {
    build: {
      version: VERSION,
      database: database.dialect.name,
      instance_name: config.instance,
    },
    storageMetrics: [
      ...databaseMetrics(database, config.dataDir, logger),
      // PostgreSQL has tools of its own, of which the service does not know.
      ...(database.kind === "sqlite" ? backupMetrics(config.dataDir, logger) : []),
    ],
    reportMetrics: reports.metrics,
    metricsToken: config.metricsToken,
  };
}

function openChecks(ground: Ground, database: Database, fleet: Fleet, nodes: NodeService) {
  const parts = assembleChecks({ ...ground, fleet, options: ground.options.checks ?? {} });
  const background = new BackgroundChecks({ ...ground, ...parts, database, fleet, nodes });
  ground.lifecycle.add(background);
  return {
    checks: parts.service,
    checkAccess: parts.access,
    checkPolicyFor: parts.policyFor,
    checkMetrics: [...parts.meter.metrics, ...background.metrics],
    nodeChecks: background.view,
    background,
  };
}

function addHttp(
  { config: { host, port }, lifecycle }: Ground,
  http: HttpApp,
  onListening: (origin: string) => void,
): void {
  lifecycle.add({
    name: "http",
    start: async () => onListening(toOrigin(host, await http.listener.listen(host, port))),
    stop: () => http.close(CLOSE_DEADLINE_MS),
  });
}

interface Stoppable {
  stop(): Promise<void> | void;
}

/** Requests for these wait for other machines, or for ever: what they wait for ends before they do. */
function addEndings(
  { config, lifecycle }: Ground,
  http: HttpApp,
  { checks, diagnoses, events }: Record<"checks" | "diagnoses", Stoppable> & { events: Part },
): void {
  lifecycle.add({ name: "checks", stop: () => checks.stop() });
  lifecycle.add({ name: "diagnoses", stop: () => diagnoses.stop() });
  lifecycle.add(events);
  lifecycle.add({ name: "drain", stop: () => http.listener.drain(config.drainMs) });
}

function openDiagnoses({ config, options }: Ground): DiagnosisService {
  const diagnosis = new Diagnosis({ ...systemParts(), ...options.diagnosis });
  return new DiagnosisService({ diagnosis, servers: config.stunServers });
}

async function openAccounts(
  { config, clock, logger, lifecycle }: Ground,
  database: Database,
  nodes: NodeService,
  baseUrl: () => string,
) {
  const { secret: jwtSecret, generated } = await loadJwtSecret(config);
  const ground = { config, database, clock, logger, lifecycle };
  const users = assembleUsers({ ...ground, jwtSecret, nodes, baseUrl });
  const system = new SystemService({
    db: database.db,
    clock,
    hasher: users.hasher,
    accounts: users.accounts,
    setupSecret: jwtSecret,
    rateLimit: config.rateLimit,
  });
  return {
    auth: createAuth(users.sessions),
    accounts: users.accounts,
    userAdministration: users.userAdministration,
    sendNotice: users.sendNotice,
    mailMetrics: users.mailMetrics,
    system,
    version: VERSION,
    smtp: config.smtpUrl !== undefined,
    setupSecret: {
      fresh: generated ? jwtSecret : undefined,
      place: config.jwtSecret ? "WAYPOST_JWT_SECRET" : join(config.dataDir, JWT_SECRET_FILE),
    },
  };
}

/** An address that can be called, also when the service listens on all of them. */
function toOrigin(host: string, port: number): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

async function findFault(
  { lifecycle, logger }: Ground,
  database: Database,
  reports: Reports,
  storageMatters: boolean,
): Promise<string | undefined> {
  if (lifecycle.isStopping) return "the service is stopping";
  if (!storageMatters) return undefined;
  if (reports.fault) return reports.fault;
  try {
    await database.ping();
    return undefined;
  } catch (error) {
    logger.warn({ err: error }, "the database does not answer");
    return "the database does not answer";
  }
}
