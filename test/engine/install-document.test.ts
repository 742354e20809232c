import { mkdir, mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseEnv } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { parseConfig } from "../../src/server/config.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { blockOf, readDocument, root, stopOf } from "../support/documents.ts";
import { RecordedPrograms } from "../support/recorded-programs.ts";
import { walk } from "../support/walked-document.ts";

const document = "docs/install.md";
const COMPOSE = "compose.postgres.yaml";

let folder: string;
let recorded: RecordedPrograms;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-install-"));
  const names = ["docker", "journalctl", "systemctl"];
  console.warn(`IN PLACE OF ${names.join(", ")}: programs that write down how they are called.`);
  recorded = await RecordedPrograms.create(folder, names);
  // The commands are called in a checkout.
  for (const name of ["packaging", COMPOSE]) await symlink(join(root, name), join(folder, name));
  await mkdir(join(folder, "etc/systemd/system"), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

const run = (beginning: string, instead: Record<string, string> = {}) =>
  walk([stopOf(document, beginning)], {
    folder,
    instead: { "/etc/": join(folder, "etc/"), ...instead },
    path: [recorded.path],
  });

test("the units are put where systemd looks, and name what the package installs", async () => {
  await run("cp packaging/systemd/waypost.service");
  await run("cp packaging/systemd/waypost-backup");
  expect(await recorded.calls()).toEqual([
    "systemctl enable --now waypost",
    "journalctl -u waypost",
    "systemctl enable --now waypost-backup.timer",
  ]);
  const units = ["waypost.service", "waypost-backup.service", "waypost-backup.timer"];
  const installed = await Promise.all(
    units.map((unit) => readFile(join(folder, "etc/systemd/system", unit), "utf8")),
  );
  const [service = "", backup = ""] = installed;
  const { text } = blockOf(document, "npm ci && npm pack");
  const [, prefix = ""] = /--prefix (\S+)/.exec(text) ?? [];
  expect(service).toContain(`\nExecStart=${prefix}/bin/waypost serve\n`);
  expect(backup).toContain(`\nExecStart=${prefix}/bin/waypost backup `);
  const page = /^Documentation=file:\/\/(\S+)$/m.exec(service)?.[1];
  expect(page).toBe(`${prefix}/lib/node_modules/waypost/docs/operations.md`);
});

test("the secrets are those of compose.postgres.yaml, and a service starts with them", async () => {
  const server = new URL(inject("postgresUrl"));
  await run("mkdir -m 700 secrets", { "postgres:5432": server.host });
  expect((await recorded.calls()).at(-1)).toBe(`docker compose -f ${COMPOSE} up -d`);
  expect((await stat(join(folder, "secrets"))).mode & 0o777).toBe(0o700);

  const compose = readDocument(COMPOSE);
  const asked = [...compose.matchAll(/^ +file: \$\{WAYPOST_SECRETS:-(.*)\}\/(.*)$/gm)];
  const secrets = asked.map(([, place = "", name = ""]) => join(folder, place, name));
  expect(secrets).toHaveLength(4);
  const contents = await Promise.all(secrets.map((file) => readFile(file, "utf8")));
  const held = Object.fromEntries(secrets.map((file, n) => [basename(file), contents[n]?.trim()]));
  expect(new Set(Object.values(held)).size).toBe(4);

  const word = (name: string) => new RegExp(`^ +${name}: (.*)$`, "m").exec(compose)?.[1];
  const url = new URL(held["database-url"] ?? "");
  expect([url.username, url.password, url.pathname]).toEqual([
    word("POSTGRES_USER"),
    held["postgres-password"],
    `/${word("POSTGRES_DB")}`,
  ]);
  expect(compose).toContain("POSTGRES_PASSWORD_FILE: /run/secrets/postgres-password\n");

  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  // Of a run before this one, while somebody watches.
  await client.query(`drop database if exists ${word("POSTGRES_DB")} with (force)`);
  await client.query(`create database ${word("POSTGRES_DB")}`);
  await client.end();
  const stated = compose.matchAll(/^ {2,6}WAYPOST_(\w+): "?([^"\n]*)"?$/gm);
  const settings = Object.fromEntries(
    [...stated].map(([, name = "", value = ""]) => [
      name,
      value.replace("/run/secrets", join(folder, "secrets")),
    ]),
  );
  expect(Object.keys(settings)).toEqual(
    expect.arrayContaining(["DATABASE_URL_FILE", "JWT_SECRET_FILE", "SECRET_KEY_FILE"]),
  );
  const { SITE: _site, UPSTREAMS: _upstreams, ...own } = settings;
  const data = join(folder, "data");
  const service = await ServiceProcess.start({
    ...own,
    PORT: "0",
    DATA_DIR: data,
    LOG_LEVEL: "silent",
    PORT_MAPPING: "off",
  });
  try {
    const body = {
      jwt_secret: held["jwt-secret"],
      email: "admin@example.org",
      password: "correct horse battery staple",
    };
    expect((await service.request("POST", "/api/system/initialize", { body })).status).toBe(201);
    expect((await service.request("GET", "/readyz")).status).toBe(200);
    const metrics = (await service.request("GET", "/metrics")).body as string;
    expect(metrics).toContain('database="postgres"');
  } finally {
    await service.kill();
  }
});

test("the settings behind a proxy are understood", () => {
  const { text } = blockOf(document, "WAYPOST_PUBLIC_URL=");
  const config = parseConfig(parseEnv(text));
  expect(config).toMatchObject({
    publicUrl: "https://waypost.example.org",
    trustProxy: ["127.0.0.1"],
    unknownSettings: [],
  });
});
