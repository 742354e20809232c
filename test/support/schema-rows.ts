import type { Kysely } from "kysely";
import { toSealKey } from "../../src/server/system/secret-key.ts";
import { SealedBox } from "../../src/server/lib/sealed-box.ts";
import { hashToken } from "../../src/server/lib/tokens.ts";
import { encodeBatch } from "../../src/server/reports/record.ts";

/** What stands in the rows, and is to be found again after an upgrade. */
export const stored = {
  email: "ann@example.com",
  reportToken: "wpr_stored",
  /** GB in the tables, and GB in the journal that nobody has folded yet. */
  folded: 1.5,
  journaled: 2.25,
  rule: "home",
  secret: "the-stored-token-9d2m",
  secretKey: "k".repeat(43),
  domainSecret: "the-stored-token-4h8p",
} as const;

// oxlint-disable-next-line typescript/no-explicit-any -- of schemas that are no longer the current one
type AnySchema = Kysely<any>;

const DAY_MS = 86_400_000;
const box = new SealedBox([toSealKey(stored.secretKey)]);

export interface StoredAt {
  now: number;
  passwordHash: string;
  /** Whose journal it is. */
  instance: string;
}

/**
 * Rows as each version of the schema has stored them, by the migration that made their tables.
 * Columns that later migrations add are left out: the migration has to fill them.
 */
export const rowsOf: Readonly<Record<string, (db: AnySchema, at: StoredAt) => Promise<void>>> = {
  "001-registry": async (db, { now, passwordHash, instance }) => {
    const periodStart = now - (now % DAY_MS);
    await insert(db, "users", {
      email: stored.email,
      email_key: stored.email,
      password_hash: passwordHash,
      is_admin: 1,
      verified: 1,
      disabled: 0,
      session_version: 1,
      created_at: now,
    });
    await insert(db, "settings", { key: "initialized_at", value: String(now) });
    await insert(db, "nodes", {
      owner_id: 1,
      node_name: "relay-1",
      region_type: "domestic",
      region_detail: "",
      connections: JSON.stringify([{ type: "TCP", ip: "192.0.2.1", port: 11_010 }]),
      tier_bandwidth: 100,
      tier_since: 0,
      max_bandwidth: 200,
      max_traffic: 500,
      reset_cycle: 30,
      max_connections: 50,
      tags: "",
      valid_until: null,
      allow_relay: 1,
      enabled: 1,
      token_hash: hashToken(stored.reportToken).toString("hex"),
      previous_token_hash: null,
      previous_token_until: null,
      period_start: periodStart,
      period_end: periodStart + 30 * DAY_MS,
      created_at: now,
    });
    await insert(db, "node_live", {
      node_id: 1,
      reported_at: now,
      bandwidth: 10,
      connections: 3,
      status: "online",
      used: stored.folded,
      used_rest: 0,
      period_start: periodStart,
      tier_bandwidth: null,
      tier_at: 0,
      interval_ms: 60_000,
      version: "",
      journal_seq: 0,
      open_history: null,
      silent: 0,
    });
    const report = {
      nodeId: 1,
      at: now,
      traffic: stored.journaled,
      bandwidth: 20,
      connections: 4,
      status: "online",
      periodStart,
      intervalMs: 60_000,
      tierBandwidth: null,
      version: null,
      receipt: null,
    };
    const batch = encodeBatch([report]);
    await insert(db, "report_journal", { instance, seq: 1, batch });
  },
  "002-stun": async (db, { now }) => {
    await insert(db, "stun_rules", {
      name: stored.rule,
      enabled: 0,
      transport: "udp",
      local_address: null,
      local_port: 0,
      stun_servers: "[]",
      keepalive_hosts: "[]",
      probe_interval_seconds: 20,
      settle_seconds: 3,
      forward_to: null,
      trigger_callbacks: 1,
      instance: "main",
      revision: 1,
      created_at: now,
    });
    const mapping = { rule_id: 1, public_ip: "203.0.113.9", public_port: 40_000, at: now };
    await insert(db, "stun_mappings", mapping);
    await insert(db, "stun_changes", {
      ...mapping,
      change_key: "stored",
      previous_ip: null,
      previous_port: null,
      changed: "[]",
      confirmed_by: "[]",
    });
  },
  "003-callbacks": async (db, { now }) => {
    const config = {
      url: box.seal("https://hooks.example.com/in", "callback_accounts:1:url"),
      signing_secret: box.seal(stored.secret, "callback_accounts:1:signing_secret"),
    };
    const times = { created_at: now, updated_at: now };
    await insert(db, "callback_accounts", {
      name: "hook",
      type: "webhook",
      config: JSON.stringify(config),
      ...times,
    });
    await insert(db, "callback_tasks", {
      name: "tell",
      enabled: 1,
      trigger: "stun_ip_change",
      stun_rule_id: 1,
      account_id: 1,
      ...times,
    });
  },
  "004-domains": async (db, { now }) => {
    await insert(db, "domain_accounts", {
      name: "zone",
      provider: "desec",
      config: JSON.stringify({
        domain: "example.org",
        token: box.seal(stored.domainSecret, "domain_accounts:1:token"),
      }),
      created_at: now,
      updated_at: now,
    });
  },
  "006-publications": async (db, { now }) => {
    await insert(db, "node_publications", {
      account_id: 1,
      name: "peers.example.org",
      type: "TXT",
      wish: JSON.stringify({ limit: 3, region: "all", relay_only: false }),
      interval_seconds: 300,
      ttl_seconds: 60,
      enabled: 0,
      removed: 0,
      revision: 1,
      nodes: "[]",
      failures: 0,
      due_at: now + DAY_MS,
      created_at: now,
      updated_at: now,
    });
  },
};

async function insert(db: AnySchema, table: string, row: Record<string, unknown>): Promise<void> {
  await db.insertInto(table).values(row).execute();
}
