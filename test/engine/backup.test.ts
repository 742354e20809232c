import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { create, extract } from "tar";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceProcess } from "../durability/service-process.ts";
import { logIn, PASSWORD } from "../support/accounts.ts";
import { BackupBench } from "../support/backups.ts";
import { program, waypost } from "../support/command-line.ts";
import { FaultDisk } from "../support/fault-disk.ts";

const ADMIN = "admin@example.com";
const TOKEN = "the-token-of-the-provider-4w7k";
const settings = { PORT: "0", RATE_LIMIT: "off", LOG_LEVEL: "silent" };

let folder: string;
let bench: BackupBench;
let data: string;
let service: ServiceProcess;
/** Backups of the same data, without and with the secrets. */
let bare: string;
let full: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-backup-"));
  bench = new BackupBench(folder);
  data = await bench.newFolder();
  const env = { WAYPOST_DATA_DIR: data };
  await waypost(["admin", "create", ADMIN], { env, input: PASSWORD });
  service = await ServiceProcess.start({ ...settings, DATA_DIR: data });
  const body = {
    name: "zone",
    provider: "desec",
    config: { token: TOKEN, domain: "example.org" },
  };
  const token = await logIn(service, ADMIN);
  await service.request("POST", "/api/domains/accounts", { token, body });
  [bare, full] = [bench.newFile(), bench.newFile()];
  await bench.backup(data, bare);
  await bench.backup(data, "--with-secrets", full);
});
afterAll(async () => {
  await service.terminate();
  await rm(folder, { recursive: true });
});

/** How the sealed token of a restored folder is shown: its end, when it could be opened. */
async function tokenIn(target: string, env: Record<string, string> = {}): Promise<unknown> {
  const restored = await ServiceProcess.start({ ...settings, DATA_DIR: target, ...env });
  const token = await logIn(restored, ADMIN);
  const { body } = await restored.request("GET", "/api/domains/accounts", { token });
  await restored.terminate();
  return (body.accounts as { config: { token: unknown } }[])[0]?.config.token;
}

const opened = { set: true, hint: `…${TOKEN.slice(-4)}` };
const keyOf = (place: string) => readFileSync(join(place, "secret-key"), "utf8").trim();

describe("a backup", () => {
  test("is one file for its owner alone, with what it needs said in front", async () => {
    expect((await stat(bare)).mode & 0o777).toBe(0o600);
    const place = await bench.newFolder();
    await extract({ file: bare, cwd: place });
    expect((await readdir(place)).toSorted()).toEqual(["manifest.json", "waypost.db"]);
    expect(JSON.parse(await readFile(join(place, "manifest.json"), "utf8"))).toMatchObject({
      format: 1,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      schema: expect.arrayContaining(["001-registry"]),
      key_ids: [expect.stringMatching(/^[0-9a-f]{12}$/)],
      parts: [{ name: "waypost.db", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
  });

  test("says which key it will need, or what a file with the key is worth", async () => {
    const words = await bench.backup(data, bench.newFile());
    expect(words.out).toMatch(
      / is made, \d+ kB\nRestoring it needs the secret key [0-9a-f]{12}\n$/,
    );
    const secret = await bench.backup(data, "--with-secrets", "--json", await bench.newFolder());
    expect(secret.err).toMatch(/^Whoever has this file can sign sessions/);
    expect(JSON.parse(secret.out)).toMatchObject({
      file: expect.stringMatching(/waypost-\d{8}T\d{6}Z\.tar\.gz$/),
      parts: [{ name: "waypost.db" }, { name: "jwt-secret" }, { name: "secret-key" }],
    });
  });

  test("never takes the place of a file, and needs a database and a folder", async () => {
    const again = await bench.backup(data, bare);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("exists already")]);
    const lost = await bench.backup(data, join(folder, "no", "where"));
    expect([lost.code, lost.err]).toEqual([1, `There is no folder ${join(folder, "no")}\n`]);
    const empty = await bench.backup(await bench.newFolder(), bench.newFile());
    expect([empty.code, empty.err]).toEqual([1, expect.stringMatching(/^There is no database at/)]);
  });

  test("leaves nothing behind on a full disk, and says that it is full", async () => {
    const disk = await FaultDisk.make();
    const env = { WAYPOST_DATA_DIR: data, ...disk.environment };
    await disk.fail("full");
    const { code, err } = await waypost(["backup", join(disk.data, "file")], { env });
    expect([code, err]).toEqual([1, expect.stringMatching(/^The disk that holds .* is full; no/)]);
    expect(await readdir(disk.data)).toEqual([]);
    await disk.remove();
  });

  test("can be made where a file has one name only, as on a memory stick", async () => {
    const disk = await FaultDisk.make();
    const env = { WAYPOST_DATA_DIR: data, ...disk.environment };
    await disk.fail("one name");
    const file = join(disk.data, "file");
    expect(await waypost(["backup", file], { env })).toMatchObject({ code: 0, err: "" });
    expect(await readdir(disk.data)).toEqual(["file"]);
    const again = await waypost(["backup", file], { env });
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("exists already")]);
    await disk.remove();
  });

  test("of PostgreSQL is left to its own tools", async () => {
    const env = { WAYPOST_DATABASE_URL: "postgres://nobody@127.0.0.1:1/waypost" };
    for (const word of ["backup", "restore"]) {
      const { code, err } = await waypost([word, "file"], { env });
      expect([code, err]).toEqual([2, expect.stringMatching(/PostgreSQL.*docs\/operations\.md/)]);
    }
  });
});

describe("a restored service", () => {
  test("opens its credentials with the key that was backed up beside the data", async () => {
    const place = await bench.newFolder();
    expect(await bench.restore(place, full)).toMatchObject({ code: 0, err: "" });
    for (const name of ["jwt-secret", "secret-key"]) {
      expect(await readFile(join(place, name))).toEqual(await readFile(join(data, name)));
      expect((await stat(join(place, name))).mode & 0o777).toBe(0o600);
    }
    expect(await tokenIn(place)).toEqual(opened);
  });

  test("opens them with the key that is configured, or lies in the folder", async () => {
    const [configured, laid] = [await bench.newFolder(), await bench.newFolder()];
    const newKey = randomBytes(32).toString("base64url");
    const env = { WAYPOST_SECRET_KEY: `${newKey} ${keyOf(data)}` };
    expect(await bench.restore(configured, bare, { env })).toMatchObject({ code: 0 });
    expect(await tokenIn(configured, { SECRET_KEY: env.WAYPOST_SECRET_KEY })).toEqual(opened);
    await writeFile(join(laid, "secret-key"), `${keyOf(data)}\n`);
    expect(await bench.restore(laid, bare)).toMatchObject({ code: 0 });
    expect(await tokenIn(laid)).toEqual(opened);
  });

  test("may have its database on another disk than its secrets", async () => {
    const disk = await FaultDisk.make();
    await disk.fail("different");
    const elsewhere = join(await bench.newFolder(), "registry.db");
    const env = { WAYPOST_DATABASE_URL: `sqlite:${elsewhere}`, ...disk.environment };
    expect(await bench.restore(disk.data, full, { env })).toMatchObject({ code: 0, err: "" });
    expect((await readdir(disk.data)).toSorted()).toEqual(["jwt-secret", "secret-key"]);
    expect(keyOf(disk.data)).toBe(keyOf(data));
    expect((await stat(join(disk.data, "secret-key"))).mode & 0o777).toBe(0o600);
    await disk.remove();
  });

  test("is refused without the key, or with another one", async () => {
    const place = await bench.newFolder();
    const without = await bench.restore(place, bare);
    expect(without.code).toBe(1);
    expect(without.err).toMatch(/sealed with the key [0-9a-f]{12}, which is not here/);
    expect(without.err).toContain("(domain account zone)");
    expect(await readdir(place)).toEqual([]);
    const env = { WAYPOST_SECRET_KEY: randomBytes(32).toString("hex") };
    expect((await bench.restore(place, bare, { env })).code).toBe(1);
    expect(await readdir(place)).toEqual([]);
  });

  test("can do without, and is told whom to give credentials again", async () => {
    const place = await bench.newFolder();
    const { code, out } = await bench.restore(place, bare, { flags: ["--without-secrets"] });
    expect(code).toBe(0);
    expect(out).toMatch(/have to be given their credentials again:\n {2}domain account zone\n$/);
    expect(await tokenIn(place)).toEqual({ set: true, hint: "…" });
  });
});

/** What is said while nothing happens. */
async function refusal(place: string, file: string): Promise<string> {
  const names = await readdir(place);
  const { code, out, err } = await bench.restore(place, file);
  expect([code, out, await readdir(place)]).toEqual([1, "", names]);
  return err;
}

/** The backup with its parts changed. */
async function tampered(change: (place: string) => Promise<void>): Promise<string> {
  const place = await bench.newFolder();
  await extract({ file: full, cwd: place });
  await change(place);
  const file = bench.newFile();
  const names = (await readdir(place)).toSorted((a) => (a === "manifest.json" ? -1 : 1));
  await create({ gzip: true, portable: true, cwd: place, file }, names);
  return file;
}

async function rewrite(place: string, change: (manifest: Record<string, unknown>) => void) {
  const file = join(place, "manifest.json");
  const manifest = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
  change(manifest);
  await writeFile(file, JSON.stringify(manifest));
}

describe("a restore is refused", () => {
  test("into a folder that is not empty", async () => {
    expect(await refusal(data, full)).toMatch(/^There is a database at .* already/);
    const place = await bench.newFolder();
    await writeFile(join(place, "notes.txt"), "");
    expect(await refusal(place, full)).toMatch(/is not empty: there is notes\.txt$/m);
  });

  test("beside what another database has left, which would become a part of it", async () => {
    const [place, elsewhere] = [await bench.newFolder(), await bench.newFolder()];
    const database = join(elsewhere, "registry.db");
    await writeFile(`${database}-wal`, "");
    const env = { WAYPOST_DATABASE_URL: `sqlite:${database}` };
    const { code, err } = await bench.restore(place, full, { env });
    expect([code, err]).toEqual([1, expect.stringContaining(`There is ${database}-wal`)]);
    expect(await readdir(elsewhere)).toEqual(["registry.db-wal"]);
    expect(await readdir(place)).toEqual([]);
  });

  test("of a file that is none of ours, or not there", async () => {
    const place = await bench.newFolder();
    const file = bench.newFile();
    expect(await refusal(place, file)).toMatch(/^Nothing was restored: ENOENT/);
    await writeFile(file, "a text that is no archive\n".repeat(100));
    expect(await refusal(place, file)).toContain("is damaged, or is no backup");
  });

  test("of a file that ends too early", async () => {
    const whole = await readFile(full);
    const file = bench.newFile();
    for (const length of [0, 100, whole.length >> 1, whole.length - 1]) {
      writeFileSync(file, whole.subarray(0, length));
      expect(await refusal(await bench.newFolder(), file)).not.toBe("");
    }
  });

  test.each([
    [
      "whose database has another byte",
      async (place: string) => {
        const bytes = await readFile(join(place, "waypost.db"));
        bytes[bytes.length - 1000] = (bytes.at(-1000) ?? 0) ^ 1;
        await writeFile(join(place, "waypost.db"), bytes);
      },
      "waypost.db is not what was backed up",
    ],
    [
      "whose key is another",
      (place: string) => writeFile(join(place, "secret-key"), `${"k".repeat(43)}\n`),
      "secret-key is not what was backed up",
    ],
    [
      "that lacks a part",
      (place: string) => rm(join(place, "jwt-secret")),
      "its parts are not those that it names",
    ],
    [
      "with a part that belongs elsewhere",
      (place: string) => writeFile(join(place, "authorized_keys"), "x"),
      "holds authorized_keys, which does not belong there",
    ],
    [
      "without a manifest",
      (place: string) => rm(join(place, "manifest.json")),
      "is no backup that this version can read",
    ],
    [
      "of a format from the future",
      (place: string) => rewrite(place, (manifest) => (manifest["format"] = 2)),
      "is no backup that this version can read",
    ],
  ])("of a file %s", async (_title, change, sentence) => {
    const file = await tampered(change);
    expect(await refusal(await bench.newFolder(), file)).toContain(sentence);
  });

  test("of a database with a schema from the future", async () => {
    const newer = await bench.newFolder();
    expect(await bench.restore(newer, full)).toMatchObject({ code: 0 });
    addMigration(join(newer, "waypost.db"), "999-from-the-future");
    const file = bench.newFile();
    expect(await bench.backup(newer, "--with-secrets", file)).toMatchObject({ code: 0 });
    expect(await refusal(await bench.newFolder(), file)).toMatch(
      /made by a newer version of Waypost \(.*999-from-the-future\)/,
    );
  });
});

function addMigration(file: string, name: string): void {
  const database = new Database(file);
  database
    .prepare("insert into migrations (name, breaking, applied_at) values (?, 0, 0)")
    .run(name);
  database.close();
}

test("a person sees how far a backup is, a program does not", async () => {
  const command = `${process.execPath} ${program} backup ${bench.newFile()}`;
  const seen = execFileSync("script", ["-qec", command, "/dev/null"], {
    env: { ...process.env, WAYPOST_DATA_DIR: data },
    encoding: "utf8",
  });
  expect(seen).toMatch(/Copying the database .*100 %[^]*Packing it .*100 %/);
  expect((await bench.backup(data, bench.newFile())).err).toBe("");
});
