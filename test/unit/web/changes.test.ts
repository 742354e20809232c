import { describe, expect, test } from "vitest";
import type { CallbackAccount, CallbackTask } from "../../../src/shared/api/callbacks.ts";
import type { DomainAccount } from "../../../src/shared/api/domains.ts";
import type { Publication } from "../../../src/shared/api/publications.ts";
import type { Rule } from "../../../src/shared/api/stun.ts";
import { toAccountChange, toAccountValues } from "../../../src/web/callbacks/account-values.ts";
import { emptyRecord } from "../../../src/web/callbacks/record-values.ts";
import { toTaskChange, toTaskValues } from "../../../src/web/callbacks/task-values.ts";
import { toDomainChange, toDomainValues } from "../../../src/web/domains/domain-values.ts";
import { changesOf, sendChanges } from "../../../src/web/lib/changes.ts";
import {
  toPublicationChange,
  toPublicationValues,
} from "../../../src/web/publications/publication-values.ts";
import { toRuleChange, toRuleValues } from "../../../src/web/stun/rule-values.ts";

const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const kept = { set: true, hint: "…1234" };

describe("what is sent of a form", () => {
  test("is what differs, lists and objects whole", () => {
    const before = { name: "a", list: [1, 2], to: { host: "h", port: 1 }, none: null };
    expect(changesOf(before, structuredClone(before))).toEqual({});
    expect(changesOf(before, { ...before, list: [1], to: { host: "h", port: 2 } })).toEqual({
      list: [1],
      to: { host: "h", port: 2 },
    });
    expect(changesOf<Record<string, unknown>>(before, { ...before, none: 0, more: null })).toEqual({
      none: 0,
      more: null,
    });
  });

  test("is nothing where nothing differs: the answer is known", async () => {
    const sent: object[] = [];
    const send = async (changes: object) => {
      sent.push(changes);
      return "answered";
    };
    expect(await sendChanges({}, "as it was", send)).toBe("as it was");
    expect(await sendChanges({ a: undefined }, "as it was", send)).toBe("answered");
    expect(sent).toEqual([{ a: undefined }]);
  });
});

describe("the change of a rule", () => {
  const before = toRuleValues({
    id: 1,
    name: "home",
    enabled: true,
    transport: "tcp",
    local_address: null,
    local_port: 0,
    stun_servers: ["stun.example.com:3478"],
    keepalive_hosts: ["web.example.com:80"],
    probe_interval_seconds: 20,
    settle_seconds: 3,
    forward_to: { host: "192.0.2.1", port: 443, proxy_protocol: true },
    trigger_callbacks: true,
    instance: "main",
  } as Partial<Rule> as Rule);

  test("says its fields alone, and what was taken away", () => {
    expect(toRuleChange(before, before)).toEqual({});
    expect(toRuleChange(before, { ...before, name: " home ", settle_seconds: 5 })).toEqual({
      settle_seconds: 5,
    });
    expect(toRuleChange(before, { ...before, forwards: false, stun_servers: "" })).toEqual({
      forward_to: null,
      stun_servers: [],
    });
    expect(toRuleChange(before, { ...before, instance: "" })).toEqual({});
  });

  test("to UDP takes away what is for TCP, which somebody else may just have set", () => {
    const plain = {
      ...before,
      keepalive_hosts: "",
      forward_to: { ...before.forward_to, proxy_protocol: false },
    };
    expect(toRuleChange(plain, { ...plain, transport: "udp" })).toEqual({
      transport: "udp",
      keepalive_hosts: [],
      forward_to: { host: "192.0.2.1", port: 443 },
    });
  });
});

describe("the change of a callback account", () => {
  const webhook: CallbackAccount = {
    id: 1,
    name: "hook",
    type: "webhook",
    config: { url: "http://a.example", headers: "A: b", signing_secret: kept },
    ...times,
  };
  const before = toAccountValues("webhook", webhook);
  const configChange = (change: object) =>
    toAccountChange(webhook, { ...before, config: { ...before.config, ...change } });

  test("leaves settings alone that were not touched, secrets too", () => {
    expect(toAccountChange(webhook, before)).toEqual({});
    expect(toAccountChange(webhook, { ...before, name: "other" })).toEqual({ name: "other" });
    expect(configChange({ url: "http://b.example" })).toEqual({
      config: { url: "http://b.example" },
    });
    // The default that was not stored is no change, another choice is.
    expect(configChange({ method: "GET" })).toEqual({ config: { method: "GET" } });
  });

  test("takes away what was emptied, and replaces or removes a secret", () => {
    expect(configChange({ headers: " " })).toEqual({ config: { headers: null } });
    expect(configChange({ signing_secret: null })).toEqual({ config: { signing_secret: null } });
    expect(configChange({ signing_secret: "new" })).toEqual({ config: { signing_secret: "new" } });
  });

  test("says all records when one of them differs, and the connection that is chosen no more", () => {
    const records = [{ name: "a.example.com", type: "AAAA", ip4p: true }];
    const dns: CallbackAccount = {
      ...webhook,
      type: "domain_account",
      config: { domain_account_id: 3, records },
    };
    const values = toAccountValues("domain_account", dns);
    expect(toAccountChange(dns, values)).toEqual({});
    const second = { ...emptyRecord(), name: "b.example.com" };
    const config = { ...values.config, records: [...values.config.records, second] };
    expect(toAccountChange(dns, { ...values, config })).toEqual({
      config: { records: [...records, { name: "b.example.com", type: "A" }] },
    });
    const node: CallbackAccount = {
      ...webhook,
      type: "registry_node",
      config: { node_id: 7, transport: "udp" },
    };
    const chosen = toAccountValues("registry_node", node);
    expect(toAccountChange(node, chosen)).toEqual({});
    expect(
      toAccountChange(node, { ...chosen, config: { ...chosen.config, transport: "" } }),
    ).toEqual({ config: { transport: null } });
  });

  test("leaves a text alone that cannot be opened any more, until it is given anew", () => {
    const lost = { ...webhook, config: { ...webhook.config, url: { set: true, hint: "…" } } };
    const values = toAccountValues("webhook", lost);
    expect(values.config["url"]).toBe("");
    expect(toAccountChange(lost, { ...values, name: "other" })).toEqual({ name: "other" });
    const config = { ...values.config, url: "http://c.example" };
    expect(toAccountChange(lost, { ...values, config })).toEqual({
      config: { url: "http://c.example" },
    });
  });
});

test("the change of a domain account says the fields of its settings that differ", () => {
  const account: DomainAccount = {
    id: 1,
    name: "dns",
    provider: "desec",
    config: { token: kept, domain: "example.com", base_url: "https://desec.example" },
    ...times,
  };
  const before = toDomainValues("desec", account);
  const after = { ...before, config: { ...before.config, base_url: "" } };
  expect(toDomainChange(account, before)).toEqual({});
  expect(toDomainChange(account, after)).toEqual({ config: { base_url: null } });
  expect(toDomainChange(account, { ...before, name: "other" })).toEqual({ name: "other" });
});

test("the change of a task or a DNS list says the fields that differ", () => {
  const task: CallbackTask = {
    id: 1,
    name: "tell",
    enabled: true,
    trigger: "stun_ip_change",
    stun_rule_id: 2,
    account_id: 3,
  };
  const values = toTaskValues(task);
  expect(toTaskChange(values, values)).toEqual({});
  expect(toTaskChange(values, { ...values, account_id: "4" })).toEqual({ account_id: 4 });

  const list = toPublicationValues({
    domain_account_id: 1,
    name: "peers.example.com",
    type: "TXT",
    node_count: 5,
    region: "all",
    priority: null,
    transport: "TCP",
    tag: "a",
    relay_only: false,
    interval_seconds: 300,
    ttl_seconds: 60,
    enabled: true,
  } as Partial<Publication> as Publication);
  expect(toPublicationChange(list, list)).toEqual({});
  expect(toPublicationChange(list, { ...list, tag: " ", ttl_seconds: 120 })).toEqual({
    tag: null,
    ttl_seconds: 120,
  });
});
