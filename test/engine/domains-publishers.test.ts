import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { assembleDomains, type Domains } from "../../src/server/domains/domains.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { SealedBox } from "../../src/server/lib/sealed-box.ts";
import { toSealKey } from "../../src/server/system/secret-key.ts";
import { BindServer, updateKey } from "../support/bind-server.ts";
import { queryDns } from "../support/dns-query.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openOutgoing } from "../support/outgoing.ts";
import { ZONE } from "../support/zone-file.ts";

const NAME = `home.${ZONE}`;
const CALLER = { userId: 1, email: "admin@example.com", isAdmin: true };

let folder: string;
let database: Database;
let bind: BindServer;
let domains: Domains;
let accountId: number;
const { http } = openOutgoing();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
  const clock = new ManualClock(Date.now());
  const file = join(folder, "waypost.db");
  database = await openDatabase({ dialect: "sqlite", file }, clock, createLogger("silent"));
  const records = ["192.0.2.1", "192.0.2.2"].map((value) => ({
    name: NAME,
    type: "A",
    ttl: 60,
    value,
  }));
  bind = await BindServer.start({ records });
  const box = new SealedBox([toSealKey("the key that seals what the tests of domains store")]);
  domains = assembleDomains({ database, clock, http, box, usersOf: async () => [] });
  const { name: key_name, secret: key_secret } = updateKey;
  const config = { server: `127.0.0.1:${bind.port}`, zone: ZONE, key_name, key_secret };
  const account = { name: "zone", provider: "rfc2136" as const, config };
  accountId = (await domains.accounts.create(CALLER, account)).id;
});
afterEach(async () => {
  await bind.stop();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

afterAll(() => http.stop());

/** @param before the address that it had, as far as is known */
async function publish(rule: number, publicIp: string, before: string | null): Promise<string[]> {
  const [result] = await domains.publish({
    accountId,
    records: [{ name: NAME, type: "A" }],
    address: { publicIp, publicPort: 1 },
    previous: before === null ? null : { publicIp: before, publicPort: 1 },
    render: (template) => template,
    publisher: `rule:${rule}`,
    exchange: http.exchange([], new AbortController().signal),
  });
  expect(result).toMatchObject({ result: "updated" });
  return (await queryDns(bind.port, NAME, "A")).map(({ value }) => value).toSorted();
}

test("each of two rules that share a name keeps its own value in step, and remembers which it is", async () => {
  expect(await publish(1, "203.0.113.1", "192.0.2.1")).toEqual(["192.0.2.2", "203.0.113.1"]);
  expect(await publish(2, "203.0.113.2", "192.0.2.2")).toEqual(["203.0.113.1", "203.0.113.2"]);
  // Nobody knows what the first one said last, but the account does.
  expect(await publish(1, "203.0.113.3", null)).toEqual(["203.0.113.2", "203.0.113.3"]);
  expect(await publish(2, "203.0.113.4", null)).toEqual(["203.0.113.3", "203.0.113.4"]);
});
