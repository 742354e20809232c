import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Run } from "../../src/shared/api/callbacks.ts";
import { providerCases, type ProviderCase } from "../engine/actions/provider-cases.ts";
import { BindServer, updateKey } from "../support/bind-server.ts";
import { queryDnsOverTcp } from "../support/dns-query.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import { ProviderServer } from "../support/provider-server.ts";
import { publicEndpoint, type RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";
import { ZONE } from "../support/zone-file.ts";

interface Mapping {
  address: string;
  port: number;
}

/** Somewhere that is to say where the hole is. */
interface Target {
  type: string;
  config: object;
  /** Of the mapping that it holds now, what it can hold. */
  held: () => Promise<Partial<Mapping>> | Partial<Mapping>;
}

const LIMIT_MS = 8_000;
const LOOK_EVERY_MS = 10;
const HOST = `home.${ZONE}`;
const SERVICE = `_game._udp.${ZONE}`;

describeInLaboratory("Targets of a rule whose NAT moves", {}, (lab) => {
  const cleanUp: (() => Promise<void>)[] = [];
  const targets: Record<string, Target> = {};
  let service: ServiceAtHome;
  let rule: RuleAtHome;

  beforeAll(async () => {
    service = await ServiceAtHome.start(lab());
    cleanUp.push(() => service.close());
    targets["webhook"] = await openSink();
    targets["BIND zone"] = await openZone();
    for (const [name, open] of Object.entries(providerCases)) {
      targets[name] = await openProvider(await open(() => Date.now()));
    }
    rule = await service.createRule({ transport: "udp" });
    await rule.becomes("open");
    for (const [name, { type, config }] of Object.entries(targets)) {
      const account_id = await addAccount("/api/callbacks/accounts", { name, type, config });
      const trigger = "stun_ip_or_port_change";
      const task = { name, enabled: true, trigger, stun_rule_id: rule.id, account_id };
      await service.ask("POST", "/api/callbacks/tasks", task);
    }
  });
  afterAll(async () => {
    for (const close of cleanUp.toReversed()) await close();
  });

  async function addAccount(path: string, body: object): Promise<number> {
    return (await service.ask<{ account: { id: number } }>("POST", path, body)).account.id;
  }

  /** Makes a server of this process one that is reached at home under the same URL. */
  async function letIn(server: ProviderServer): Promise<void> {
    const way = await lab().openWayOut(server.port);
    cleanUp.push(
      () => server.close(),
      () => way.close(),
    );
  }

  async function openSink(): Promise<Target> {
    const server = await ProviderServer.listen();
    await letIn(server);
    return {
      type: "webhook",
      config: { url: `${server.url}/hook`, signing_secret: "a secret of the hook" },
      held: () => {
        const last = server.received.at(-1)?.body.toString() ?? "{}";
        const { public_ip: address, public_port: port } = JSON.parse(last) as Run;
        return { address, port };
      },
    };
  }

  async function openZone(): Promise<Target> {
    const bind = await BindServer.start({
      start: (...how) => lab().home.spawn(...how),
      records: [{ name: `other.${ZONE}`, type: "A", ttl: 60, value: "192.0.2.200" }],
    });
    const door = await lab().openDoorway(bind.port);
    cleanUp.push(
      () => bind.stop(),
      () => door.close(),
    );
    const { name: key_name, secret: key_secret } = updateKey;
    const config = { server: `127.0.0.1:${bind.port}`, zone: ZONE, key_name, key_secret };
    const account = { name: "zone", provider: "rfc2136", config };
    const outside = Number(new URL(door.origin).port);
    return {
      type: "domain_account",
      config: {
        domain_account_id: await addAccount("/api/domains/accounts", account),
        records: [
          { name: HOST, type: "A", ttl: 60 },
          { name: SERVICE, type: "SRV", ttl: 60, target: HOST },
        ],
      },
      held: async () => {
        const [a] = await queryDnsOverTcp(outside, HOST, "A");
        const [srv] = await queryDnsOverTcp(outside, SERVICE, "SRV");
        return { address: a?.value ?? "", port: Number(srv?.value.split(" ")[2]) };
      },
    };
  }

  async function openProvider({ action, config, server, ...provider }: ProviderCase) {
    await letIn(server);
    const held = () => {
      const ports = new Set(provider.ports());
      expect(ports.size).toBe(1);
      const [port] = ports as Set<number>;
      const address = /"Origin":"([^"]*)"/.exec(JSON.stringify(provider.rule()))?.[1];
      return { ...(address === undefined ? {} : { address }), ...(port ? { port } : {}) };
    };
    return { type: action.type, config, held };
  }

  /**
   * Looks at a target from the switch on, until it holds what turns out to be the new mapping.
   * @returns milliseconds from the switch until it did; undefined when it did before
   */
  async function untilHeld({ held }: Target, truth: Promise<Mapping>, since: number) {
    let mapping: Mapping | undefined;
    const known = truth.then((found) => (mapping = found));
    let last = JSON.stringify(await held());
    let tookMs: number | undefined;
    for (;;) {
      const now = await held();
      if (JSON.stringify(now) !== last) tookMs = Date.now() - since;
      last = JSON.stringify(now);
      if (mapping && isPartOf(now, mapping)) return tookMs;
      if (Date.now() - since > LIMIT_MS) {
        throw new Error(`${last} is held, not ${JSON.stringify(await known)}`);
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  /** Of the newest run of each target. */
  async function ends(): Promise<Set<string>> {
    const { runs } = await service.ask<{ runs: Run[] }>("GET", "/api/callbacks/runs?limit=5");
    return new Set(runs.map(({ task_name: task, status }) => `${task} ${status}`));
  }

  /** What the NAT says, not what the service believes. */
  async function newMapping(): Promise<Mapping> {
    await rule.isProbedAgain(1);
    const [mapping] = await rule.mappings();
    if (!mapping) throw new Error("The NAT has a mapping of the hole.");
    return mapping;
  }

  it.each(["switchAddressAndPorts", "switchAddress", "switchPorts"] as const)(
    "all hold the new one: %s",
    async (name) => {
      const since = await lab().nat[name]();
      const truth = newMapping();
      const times = await Promise.all(
        Object.entries(targets).map(async ([target, each]) => {
          return `${target} ${(await untilHeld(each, truth, since)) ?? "as before"}`;
        }),
      );
      const mapping = await truth;
      console.info(`${name} to the target, ms: ${times.join(", ")}`);
      expect(publicEndpoint(await rule.state())).toEqual(mapping);
      const portOnly = name === "switchAddress" ? "skipped" : "succeeded";
      // A target holds it before its run has looked again and is on record.
      await expect
        .poll(ends, { timeout: LIMIT_MS })
        .toEqual(
          new Set([
            "webhook succeeded",
            "BIND zone succeeded",
            `cloudflare ${portOnly}`,
            `aliyun ${portOnly}`,
            "tencent succeeded",
          ]),
        );
    },
  );
});

function isPartOf(held: Partial<Mapping>, mapping: Mapping): boolean {
  return Object.entries(held).every(([part, value]) => mapping[part as keyof Mapping] === value);
}
