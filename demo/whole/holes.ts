import type { CallbackAccount, CallbackTask } from "../../src/shared/api/callbacks.ts";
import type { Rule } from "../../src/shared/api/stun.ts";
import type { FakeCloudflare } from "../../test/support/fake-cloudflare.ts";
import type { RegistryClient } from "../registry-client.ts";
import type { PretendedRouter } from "./pretended-router.ts";
import type { Sink } from "./sink.ts";

export const CLOUDFLARE_RULE = "demo-origin-rule";

/** Rules, accounts and tasks as a household might have them. */
export interface Household {
  rules: Rule[];
  accounts: CallbackAccount[];
  tasks: CallbackTask[];
}

interface Neighbours {
  router: PretendedRouter;
  sink: Sink;
  cloudflare: FakeCloudflare;
  nodeId: number;
}

const rules = [
  { name: "nas", transport: "tcp", port: 5001 },
  { name: "home-assistant", transport: "tcp", port: 8123 },
  { name: "game-server", transport: "udp", port: 2456 },
  { name: "wireguard", transport: "udp", port: 51_820 },
] as const;

const tasks = [
  { name: "Tell Home Assistant", rule: "home-assistant", account: "Home Assistant" },
  { name: "CDN origin of the NAS", rule: "nas", account: "Cloudflare, nas.example.com" },
  { name: "Chat message", rule: "game-server", account: "Chat room, often restarting" },
  { name: "Old dashboard", rule: "nas", account: "Dashboard that was taken down" },
  { name: "Keep my node in step", rule: "wireguard", account: "Node of this registry" },
] as const;

/** Through the API; nothing is enabled yet. */
export async function furnish(client: RegistryClient, around: Neighbours): Promise<Household> {
  const household: Household = { rules: [], accounts: [], tasks: [] };
  for (const { name, transport, port } of rules) {
    const { rule } = await client.post<{ rule: Rule }>("/api/stun/rules", {
      name,
      transport,
      enabled: false,
      stun_servers: around.router.servers,
      keepalive_hosts: transport === "tcp" ? around.router.keepAliveHosts : [],
      probe_interval_seconds: 5,
      settle_seconds: 1,
      forward_to: { host: "127.0.0.1", port },
    });
    household.rules.push(rule);
  }
  for (const account of accountsOf(around)) {
    const made = await client.post<{ account: CallbackAccount }>(
      "/api/callbacks/accounts",
      account,
    );
    household.accounts.push(made.account);
  }
  for (const { name, rule, account } of tasks) {
    const made = await client.post<{ task: CallbackTask }>("/api/callbacks/tasks", {
      name,
      enabled: true,
      trigger: "stun_ip_or_port_change",
      stun_rule_id: named(household.rules, rule).id,
      account_id: named(household.accounts, account).id,
    });
    household.tasks.push(made.task);
  }
  return household;
}

function named<Thing extends { name: string }>(things: readonly Thing[], name: string) {
  const found = things.find((thing) => thing.name === name);
  if (!found) throw new Error(`The demo has nothing that is called ${name}`);
  return found;
}

function accountsOf({ sink, cloudflare, nodeId }: Neighbours) {
  return [
    {
      name: "Home Assistant",
      type: "webhook",
      config: {
        url: `${sink.url}/ok/api/webhook/nat-moved`,
        body_template: '{"address": "{{ public_address }}", "rule": "{{ rule_name }}"}',
        signing_secret: "whsec_ZGVtby1zZWNyZXQtZGVtby1zZWNyZXQ=",
      },
    },
    {
      name: "Chat room, often restarting",
      type: "webhook",
      config: {
        url: `${sink.url}/moody/rooms/players`,
        body_template: '{"text": "The server is now at {{ public_address }}"}',
      },
    },
    {
      name: "Dashboard that was taken down",
      type: "webhook",
      config: { url: `${sink.url}/gone/hook?token=demo-token&ip={{ public_ip }}`, method: "GET" },
    },
    {
      name: "Cloudflare, nas.example.com",
      type: "cloudflare_origin_rule",
      config: {
        api_token: cloudflare.token,
        zone_id: cloudflare.zoneId,
        rule_id: CLOUDFLARE_RULE,
        base_url: cloudflare.baseUrl,
      },
    },
    {
      name: "Node of this registry",
      type: "registry_node",
      config: { node_id: nodeId, transport: "UDP" },
    },
  ];
}

/** A domain account that points at a name server nobody runs: what an unreachable one looks like. */
export const domainAccount = {
  name: "example.com (no such server)",
  provider: "rfc2136",
  config: {
    server: "127.0.0.1:5353",
    zone: "example.com",
    key_name: "demo",
    key_secret: "ZGVtby1rZXktZGVtby1rZXktZGVtby1rZXk=",
  },
};
