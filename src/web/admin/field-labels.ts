/** The key of a label, with the feature that has it. */
type LabelKey = `${string}:${string}`;

/** Where the forms say what a field is called: by the noun of the action that changed it. */
const labels: Readonly<Record<string, Readonly<Record<string, LabelKey>>>> = {
  node: {
    node_name: "my-nodes:form.name",
    region_type: "my-nodes:form.region",
    region_detail: "my-nodes:form.regionDetail",
    connections: "my-nodes:form.reached",
    max_bandwidth: "my-nodes:form.maxBandwidth",
    tier_bandwidth: "my-nodes:form.tierBandwidth",
    max_connections: "my-nodes:form.maxConnections",
    max_traffic: "my-nodes:form.maxTraffic",
    reset_cycle: "my-nodes:form.resetCycle",
    tags: "my-nodes:form.tags",
    valid_until: "my-nodes:form.validUntil",
    allow_relay: "my-nodes:form.allowRelay",
  },
  stun_rule: {
    name: "stun:field.name",
    enabled: "stun:field.enabled",
    transport: "stun:field.transport",
    local_address: "stun:field.localAddress",
    local_port: "stun:field.localPort",
    stun_servers: "stun:field.servers",
    keepalive_hosts: "stun:field.keepalive",
    probe_interval_seconds: "stun:field.interval",
    settle_seconds: "stun:field.settle",
    forward_to: "stun:field.forward",
    trigger_callbacks: "stun:field.trigger",
    instance: "stun:field.instance",
  },
  callback_account: {
    name: "callback-accounts:name",
    type: "callback-accounts:type",
    "config.records": "callback-accounts:types.domain_account.name",
  },
  callback_task: {
    name: "callback-tasks:name",
    enabled: "callback-tasks:enabled",
    trigger: "callback-tasks:trigger",
    stun_rule_id: "callback-tasks:rule",
    account_id: "callback-tasks:account",
  },
  domain_account: { name: "domains:name", provider: "domains:provider" },
  node_publication: {
    domain_account_id: "publications:field.account",
    name: "publications:field.name",
    type: "publications:field.type",
    node_count: "find:wish.limit",
    region: "find:wish.region",
    priority: "find:wish.priority",
    relay_only: "find:wish.relay",
    tag: "find:wish.tag",
    transport: "find:wish.transport",
    interval_seconds: "publications:field.interval",
    ttl_seconds: "publications:field.ttl",
    enabled: "publications:field.enabled",
  },
};

/** What accounts hold is labelled by the names of the fields themselves. */
const configLabels: Readonly<Record<string, LabelKey>> = {
  callback_account: "callback-accounts:field",
  domain_account: "domains:field",
};

/**
 * The key of the label that the form has for a field; there may be none under it.
 * @param noun of the action: `stun_rule`
 * @param field as the audit log names it: `local_port`, `config.url`
 */
export function toLabelKey(noun: string, field: string): LabelKey | undefined {
  const own = labels[noun]?.[field];
  const config = configLabels[noun];
  if (own !== undefined || config === undefined || !field.startsWith("config.")) return own;
  return `${config}.${field.slice("config.".length)}`;
}
