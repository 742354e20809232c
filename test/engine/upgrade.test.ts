import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig, type Config } from "../../src/server/config.ts";
import { openAsItIs, openDatabase, type Database } from "../../src/server/database/database.ts";
import { migrate } from "../../src/server/database/migrate.ts";
import { migrations } from "../../src/server/database/migrations/index.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { PasswordHasher } from "../../src/server/lib/password-hasher.ts";
import { SQLITE_INSTANCE } from "../../src/server/reports/journal-sqlite.ts";
import { createService, type Service } from "../../src/server/service.ts";
import { logIn, PASSWORD } from "../support/accounts.ts";
import { Client } from "../support/client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newEmptyPostgresDatabase } from "../support/postgres.ts";
import { rowsOf, stored } from "../support/schema-rows.ts";

const logger = createLogger("silent");

/** The storage, with nothing in it. */
async function openEmpty({ database }: Config, clock: ManualClock): Promise<Database> {
  if (database.dialect === "sqlite") return openAsItIs(database.file);
  const opened = await openDatabase(database, clock, logger);
  const tables = await opened.db.introspection.getTables();
  await opened.db.transaction().execute(async (tx) => {
    for (const { name } of tables) await tx.schema.dropTable(name).cascade().execute();
  });
  return opened;
}

/** Makes the storage as the program that knew so many migrations has left it, with rows in it. */
async function leaveStorage(config: Config, clock: ManualClock, known: number): Promise<void> {
  const database = await openEmpty(config, clock);
  const list = migrations.slice(0, known);
  await migrate(database.db, database.dialect, clock, list);
  const hasher = new PasswordHasher();
  const passwordHash = await hasher.hash(PASSWORD);
  await hasher.stop();
  const instance = database.kind === "sqlite" ? SQLITE_INSTANCE : config.instance;
  for (const { name } of list) {
    await rowsOf[name]?.(database.db, { now: clock.now(), passwordHash, instance });
  }
  await database.close();
}

const versions = migrations.map(({ name }, index) => [name, index + 1] as const);

describe.each(["sqlite", "postgres"] as const)("a storage on %s", (dialect) => {
  test.for(versions)(
    "that was last used with the schema %s is brought up to date and served",
    async ([, known]) => {
      const folder = await mkdtemp(join(tmpdir(), "waypost-upgrade-"));
      const clock = new ManualClock();
      const config = parseConfig({
        WAYPOST_DATA_DIR: folder,
        WAYPOST_PORT: "0",
        WAYPOST_RATE_LIMIT: "off",
        WAYPOST_SECRET_KEY: stored.secretKey,
        WAYPOST_DATABASE_URL: dialect === "postgres" ? await newEmptyPostgresDatabase() : undefined,
      });
      await leaveStorage(config, clock, known);

      const service = await createService(config, { clock, logger });
      await service.start();
      const client = new Client(() => service.origin);
      await serves(
        client,
        service,
        migrations.slice(0, known).map(({ name }) => name),
      );
      client.close();
      await service.stop();
      await rm(folder, { recursive: true });
      expect.hasAssertions();
    },
  );
});

/** Everything that was stored is found again, and new things are stored beside it. */
async function serves(client: Client, service: Service, known: readonly string[]): Promise<void> {
  const token = await logIn(client, stored.email);
  const get = async (path: string) => (await client.request("GET", path, { token })).body;
  const sum = stored.folded + stored.journaled;
  expect((await get("/api/nodes/my")).nodes).toMatchObject([
    { node_name: "relay-1", used_traffic: sum, max_traffic: 500, status: "online" },
  ]);
  const report = await client.request("POST", "/api/report", {
    body: {
      node_name: "relay-1",
      email: stored.email,
      token: stored.reportToken,
      current_bandwidth: 1,
      reported_traffic: 1,
      connection_count: 1,
      status: "online",
    },
  });
  expect(report).toMatchObject({ status: 200, body: { used_traffic: sum + 1 } });
  await service.reports.runWorkersOnce();
  expect((await client.request("POST", "/api/query")).body.nodes).toHaveLength(1);

  const rules = (await get("/api/stun/rules")).rules;
  const changes = known.includes("002-stun")
    ? (await get("/api/stun/rules/1/changes")).changes
    : [];
  const hooks = (await get("/api/callbacks/accounts")).accounts;
  const tasks = (await get("/api/callbacks/tasks")).tasks;
  const zones = (await get("/api/domains/accounts")).accounts;
  const rows = (name: string, row: object): object[] => (known.includes(name) ? [row] : []);
  expect({ rules, changes, hooks, tasks, zones }).toMatchObject({
    rules: rows("002-stun", { name: stored.rule, enabled: false }),
    changes: rows("002-stun", { public_ip: "203.0.113.9", changed: [] }),
    hooks: rows("003-callbacks", {
      name: "hook",
      config: { signing_secret: { set: true, hint: `…${stored.secret.slice(-4)}` } },
    }),
    tasks: rows("003-callbacks", { name: "tell", stun_rule_id: 1 }),
    zones: rows("004-domains", {
      config: { token: { set: true, hint: `…${stored.domainSecret.slice(-4)}` } },
    }),
  });
}
