import { networkInterfaces } from "node:os";
import type { Metric } from "prom-client";
import type { AccountType } from "../shared/api/callbacks.ts";
import { providerSecrets, type ProviderName } from "../shared/api/domains.ts";
import * as callbackAccount from "./callbacks/account.ts";
import { domainAccount } from "./callbacks/actions/domain-account.ts";
import { listActions } from "./callbacks/actions/list.ts";
import { Callbacks, type CallbackOptions } from "./callbacks/callbacks.ts";
import type { Rules } from "./callbacks/occasions.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import { placeOf as domainAccountPlace } from "./domains/account.ts";
import { assembleDomains } from "./domains/domains.ts";
import type { Instances } from "./instances/instances.ts";
import type { Clock } from "./lib/clock.ts";
import { EventService, type EventOptions } from "./events/service.ts";
import { EgressPolicy } from "./lib/egress-policy.ts";
import { Egress } from "./lib/egress.ts";
import { counterOf } from "./lib/metric.ts";
import type { Lifecycle } from "./lib/lifecycle.ts";
import type { Logger } from "./lib/logger.ts";
import { NameLookup } from "./lib/name-lookup.ts";
import { OutgoingHttp } from "./lib/outgoing-http.ts";
import { SealedBox } from "./lib/sealed-box.ts";
import type { Fleet } from "./nodes/fleet.ts";
import type { NodeService } from "./nodes/service.ts";
import { Publications, type PublicationOptions } from "./publications/publications.ts";
import type { QueryService } from "./query/service.ts";
import { Stun, type StunOptions } from "./stun/stun.ts";
import { countSealed, type SealedAccounts } from "./system/sealed-accounts.ts";
import { loadSealKeys } from "./system/secret-key.ts";
import type { Users } from "./users/users.ts";

/** All that `SECRET_KEY` seals. */
export const sealedAccounts: readonly SealedAccounts[] = [
  {
    table: "callback_accounts",
    kind: "type",
    namesOf: (type) => callbackAccount.sealedNamesOf(type as AccountType),
    placeOf: callbackAccount.placeOf,
  },
  {
    table: "domain_accounts",
    kind: "provider",
    namesOf: (provider) => providerSecrets[provider as ProviderName],
    placeOf: domainAccountPlace,
  },
];

/** What every part may need. */
interface HoleGround {
  config: Config;
  options: {
    stun?: StunOptions;
    callbacks?: CallbackOptions;
    publications?: PublicationOptions;
    events?: Partial<EventOptions>;
  };
  clock: Clock;
  logger: Logger;
  lifecycle: Lifecycle;
}

interface HoleNeighbours {
  database: Database;
  nodes: NodeService;
  fleet: Fleet;
  query: QueryService;
  origin: () => string;
  baseUrl: () => string;
  sendNotice: Users["sendNotice"];
  /** Undefined where one process has the storage to itself. */
  instances: Instances | undefined;
}

/** The holes, and what is kept in step with their addresses. */
export async function openHoles(ground: HoleGround, neighbours: HoleNeighbours) {
  const { config, options, lifecycle } = ground;
  const { database, origin } = neighbours;
  const rules: Rules = { get: (id) => stun.service.get(id) };
  const { callbacks, domains, publications, egress } = await openCallbacks(
    ground,
    neighbours,
    rules,
  );
  const stun: Stun = new Stun({
    ...ground,
    options: options.stun ?? {},
    database,
    ownListener: () => toListener(config.host, origin()),
    neighbours: neighbours.instances,
    subscriber: callbacks.outbox,
    ruleUsers: (ruleId, transaction) => callbacks.tasksOfRule(ruleId, transaction),
  });
  // Stopped before the callbacks, which it starts.
  lifecycle.add(stun);
  const events = new EventService({
    rules: stun.service,
    runs: callbacks.service,
    logger: ground.logger,
    options: options.events ?? {},
  });
  const routes = {
    events,
    eventMetrics: events.metrics,
    stun: stun.service,
    stunMetrics: stun.metrics,
    callbacks: callbacks.service,
    callbackAccounts: callbacks.accounts,
    callbackTasks: callbacks.tasks,
    callbackMetrics: [...callbacks.metrics, ...publications.metrics, refusedTargets(egress)],
    domainAccounts: domains.accounts,
    publications: publications.service,
  };
  return { stun, callbacks, publications, events, routes };
}

async function openCallbacks(ground: HoleGround, neighbours: HoleNeighbours, rules: Rules) {
  const { config, options, lifecycle } = ground;
  const { origin, nodes } = neighbours;
  const policy = new EgressPolicy({
    mode: config.webhookPolicy,
    ownListener: () => (origin() === "" ? undefined : toListener(config.host, origin())),
    ownAddresses,
  });
  const egress = new Egress({ policy, resolver: new NameLookup() });
  const http = new OutgoingHttp({ egress, now: () => performance.now() });
  lifecycle.add(http);
  const box = new SealedBox(await loadSealKeys(config));
  await warnOfMissingKeys(neighbours.database, box, ground.logger);
  const domains = assembleDomains({
    ...ground,
    ...neighbours,
    http,
    box,
    usersOf: async (id, transaction) => [
      ...(await callbacks.usersOfDomainAccount(id, transaction)),
      ...(await publications.usersOfDomainAccount(id, transaction)),
    ],
  });
  const callbacks: Callbacks = new Callbacks({
    ...ground,
    ...neighbours,
    enqueueMail: neighbours.sendNotice,
    rules,
    options: options.callbacks ?? {},
    http,
    box,
    actions: listActions({ nodes, domainAccount: domainAccount(domains) }),
  });
  lifecycle.add(callbacks);
  const publications: Publications = new Publications({
    ...ground,
    ...neighbours,
    options: options.publications ?? {},
    shortlist: neighbours.query.shortlist,
    http,
    domains,
  });
  lifecycle.add(publications);
  return { callbacks, domains, publications, egress };
}

/** The rest of the service does without them, and accounts can be given their secrets anew. */
async function warnOfMissingKeys(
  database: Database,
  box: SealedBox,
  logger: Logger,
): Promise<void> {
  for (const [keyId, count] of await countSealed(database.db, box, sealedAccounts)) {
    if (box.knows(keyId)) continue;
    logger.error(
      `${count} secrets of callback and domain accounts are sealed with the key ${keyId}, which is missing: put it behind the current one in WAYPOST_SECRET_KEY`,
    );
  }
}

function refusedTargets(egress: Egress): Metric {
  return counterOf(
    "waypost_egress_refused_total",
    "Targets of callbacks, notices and DNS updates that WEBHOOK_POLICY has refused.",
    () => egress.refused,
  );
}

/** Of the interfaces of this machine. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => one.address));
}

function toListener(host: string, origin: string): { host: string; port: number } {
  return { host, port: Number(new URL(origin).port || 80) };
}
