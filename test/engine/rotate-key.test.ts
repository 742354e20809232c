import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { toSealKey } from "../../src/server/system/secret-key.ts";
import { testKeyKills } from "../durability/key-kills.ts";
import { openShown, SEALED_FIELDS, SealedStorage } from "../support/sealed-storage.ts";

const cli = fileURLToPath(new URL("../../src/server/cli.ts", import.meta.url));
const OLD = "an-old-key-of-more-than-32-characters";
const NEW = "a-new-key-of-more-than-32-characters!";
const OLD_ID = toSealKey(OLD).id;
const NEW_ID = toSealKey(NEW).id;

let storage: SealedStorage;
afterEach(() => storage?.remove());

async function rotate(parameters: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [cli, "rotate-key", ...parameters], {
    cwd: storage.folder,
    env: { ...process.env, ...storage.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ends = [text(child.stdout), text(child.stderr), once(child, "close")] as const;
  const [out, err] = await Promise.all(ends);
  return { code: child.exitCode, out, err };
}

describe.each(["sqlite", "postgres"] as const)("waypost rotate-key (%s)", (dialect) => {
  test("puts a new key in the data folder, by which everything opens", async () => {
    storage = await SealedStorage.prepare(dialect);
    const [before] = await storage.filedKeyIds();
    const { code, out, err } = await rotate(["--json"]);
    expect([code, err]).toEqual([0, ""]);
    const [after, ...others] = await storage.filedKeyIds();
    expect(others).toEqual([]);
    expect(JSON.parse(out)).toEqual({
      key_id: after,
      sealed: SEALED_FIELDS,
      sealed_anew: SEALED_FIELDS,
      older_key_ids: [before],
    });
    expect(after).not.toBe(before);
    expect(await storage.shown()).toEqual(openShown);
    const { result } = await storage.whileServing((ask) => ask("GET", "/api/admin/audit"));
    expect(JSON.stringify(result.body)).toContain("secret_key.rotate");
  });

  test("takes the key in front of the old one in the setting, which is not needed then", async () => {
    storage = await SealedStorage.prepare(dialect, OLD);
    const env = { WAYPOST_SECRET_KEY: `${NEW} ${OLD}` };
    const { code, out } = await rotate([], env);
    expect(code).toBe(0);
    expect(out).toContain(
      `All ${SEALED_FIELDS} stored secrets are sealed by the key ${NEW_ID}, ${SEALED_FIELDS} of them anew`,
    );
    expect(out).toContain(OLD_ID);
    expect(await storage.shown(NEW)).toEqual(openShown);
    const again = await rotate(["--json"], env);
    expect(JSON.parse(again.out)).toMatchObject({ key_id: NEW_ID, sealed_anew: 0 });
  });

  test("changes nothing where a key is missing that has sealed something, and names it", async () => {
    storage = await SealedStorage.prepare(dialect);
    const [lost = ""] = await storage.filedKeyIds();
    await storage.fileKeys(NEW);
    const { code, out, err } = await rotate();
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe(`Credentials are sealed with a key that is missing here: ${lost}\n`);
    expect(await storage.filedKeys()).toEqual([NEW]);
  });

  test("refuses while a service runs on the same storage", async () => {
    storage = await SealedStorage.prepare(dialect);
    const before = await storage.filedKeys();
    const { result } = await storage.whileServing(() => rotate());
    expect(result.code).toBe(1);
    expect(result.err).toMatch(
      dialect === "sqlite"
        ? /is in use by another Waypost process\n$/
        : /^Another Waypost process uses this database: stop it first/,
    );
    expect(await storage.filedKeys()).toEqual(before);
    expect(await storage.shown()).toEqual(openShown);
  });
});

describe("waypost rotate-key", () => {
  test("says what to do where the setting holds one key only", async () => {
    storage = await SealedStorage.prepare("sqlite", OLD);
    const { code, err } = await rotate();
    expect(code).toBe(1);
    expect(err).toMatch(/^WAYPOST_SECRET_KEY holds one key only: put a new one .* in front of it/);
    expect(await storage.shown()).toEqual(openShown);
  });

  test("makes no storage where there is none", async () => {
    storage = await SealedStorage.prepare("sqlite");
    const { code, err } = await rotate([], { WAYPOST_DATA_DIR: `${storage.folder}/elsewhere` });
    expect(code).toBe(1);
    expect(err).toMatch(/^There is no database at .*elsewhere/);
  });

  test("is called in a wrong way with anything else", async () => {
    storage = await SealedStorage.prepare("sqlite");
    expect(await rotate(["now"])).toMatchObject({ code: 2 });
  });
});

describe("a service without the key of what is stored", () => {
  test("names the key once, at its start, and takes the secrets anew", async () => {
    storage = await SealedStorage.prepare("sqlite", OLD);
    const { errors } = await storage.whileServing(async (ask) => {
      const [, names] = await storedAccounts(ask);
      const path = `/api/domains/accounts/${names?.id}`;
      const refused = await ask("PUT", path, { config: { domain: "example.org" } });
      expect(refused.status).toBe(400);
      expect(refused.body.fields).toEqual([
        { path: "config.token", message: "cannot be opened any more and must be given anew" },
      ]);
      const given = await ask("PUT", path, { config: { token: "another-token-3333" } });
      expect(given.body.account.config.token).toEqual({ set: true, hint: "…3333" });
    }, NEW);
    expect(errors).toEqual([
      `${SEALED_FIELDS} secrets of callback and domain accounts are sealed with the key ${OLD_ID}, which is missing: put it behind the current one in WAYPOST_SECRET_KEY`,
    ]);
  });
});

async function storedAccounts(ask: Parameters<Parameters<SealedStorage["whileServing"]>[0]>[0]) {
  const answers = [
    await ask("GET", "/api/callbacks/accounts"),
    await ask("GET", "/api/domains/accounts"),
  ];
  return answers.map(({ body }) => (body as { accounts: { id: number }[] }).accounts[0]);
}

testKeyKills(30_000, ["commit", "write 1 keys"]);
