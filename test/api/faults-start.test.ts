import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseConfig } from "../../src/server/config.ts";
import { ConfigError, settings } from "../../src/server/settings.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { startInVain, type StartOutcome } from "../support/fault-start.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-start-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The one line that a refused start says; whatever else it was, whole, where it was not that. */
function lineOf(outcome: StartOutcome): string {
  const { status, out, err } = outcome;
  const isRefusal = status === 1 && out === "" && /^[^\n]+\n$/.test(err);
  return isRefusal ? err.trimEnd() : JSON.stringify(outcome);
}

/** What a setting's value is refused with; what only the system can tell shows in a real start. */
async function refusalOf(name: string, value: string): Promise<string> {
  try {
    parseConfig({ WAYPOST_DATA_DIR: folder, [`WAYPOST_${name}`]: value });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return lineOf(await startInVain({ DATA_DIR: folder, PORT: "0", [name]: value }, folder));
}

async function newFolder(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  return path;
}

describe("a wrong setting stops the start with one line that names it:", () => {
  /** What is wrong for each setting; none where every value is right. */
  const wrong: Record<string, string[]> = {
    HOST: ["not an address", "203.0.113.77", "::zz"],
    PORT: ["0x50", "-1", "65536", "80.5", "eighty", "999999"],
    DATA_DIR: [],
    DATABASE_URL: ["mysql://localhost/waypost", "postgres//localhost", "waypost.db", "sqlite:"],
    JWT_SECRET: ["too short", "x".repeat(31)],
    PUBLIC_URL: ["waypost.example.org", "ftp://waypost.example.org", "https://"],
    TRUST_PROXY: ["yes", "10.0.0.0/8;::1", "proxy.example.org", "10.0.0.0/33", "1.2.3", ","],
    SMTP_URL: ["mail.example.org", "http://mail.example.org"],
    MAIL_FROM: ["nobody", "two\nlines <a@example.org>"],
    EXPOSE_VERIFICATION_TOKEN: ["yes", "0", "false"],
    RATE_LIMIT: ["true", "10"],
    LOG_LEVEL: ["verbose", "INFO"],
    INSTANCE: ["Upper", "with space", "x".repeat(33)],
    METRICS_TOKEN: [],
    CHECK_REMOTE_URL: [
      "checks.example.org",
      "ftp://checks.example.org",
      "https://checks.example.org/api/edgecheck",
      "https://checks.example.org/?a=1",
      "https://user:word@checks.example.org",
    ],
    CHECK_REMOTE_KEY: ["two words", "schlüssel", "x".repeat(257)],
    CHECK_API_KEY: ["two\nlines", "x".repeat(257)],
    CHECK_POLICY: ["private", "ANY", "none"],
    CHECK_INTERVAL_SECONDS: ["59", "86401", "-60", "1e3", "60.5", "hourly"],
    STUN_SERVERS: ["stun.example.org", "a:0", "a:1;b:2", "a:1,", "stun:a:1", "::1:3478", "a b:1"],
    SECRET_KEY: ["short", "x".repeat(31), `${"x".repeat(32)} short`],
    WEBHOOK_POLICY: ["any", "LAN", "private"],
    PORT_MAPPING: ["on", "true", "AUTO"],
    DRAIN_SECONDS: ["6", "-1", "1.5", "long"],
    CALLBACK_HISTORY_DAYS: ["0", "3651", "1.5", "ninety", "-1"],
    CALLBACK_HISTORY_RUNS: ["99", "1000001", "1e4", "all"],
    NOTICE_WEBHOOK_URL: ["hooks.example.org/x", "ftp://hooks.example.org"],
    NOTICE_MAIL_TO: ["admin", "a@example.org,b@example.org", "admin@example.org"],
    CHECK_ALLOW: ["10.0.0.0/8;::1", "lan.example.org", "10.0.0.0/33", "10.0.0.1/", ","],
  };

  test("the table knows every setting", () => {
    expect(Object.keys(wrong).sort()).toEqual(settings.map((each) => each.name).sort());
  });

  const cases = Object.entries(wrong).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  test.for(cases)("%s=%s", async ([name, value]) => {
    const line = await refusalOf(name, value);
    expect(line).toMatch(/^[^\n{]+$/);
    expect(line).toContain(`WAYPOST_${name}`);
  });

  test("the program prints that line and nothing else", async () => {
    const outcome = await startInVain({ DATA_DIR: folder, PORT: "eighty" }, folder);
    expect(lineOf(outcome)).toMatch(/^WAYPOST_PORT must be a port from 0 to 65535$/);
  });

  test("a secret's file that cannot be read", async () => {
    const missing = join(folder, "missing");
    for (const { name } of settings.filter((each) => each.secret)) {
      const outcome = () => parseConfig({ [`WAYPOST_${name}_FILE`]: missing });
      expect(outcome).toThrow(`WAYPOST_${name}_FILE cannot be read: ENOENT`);
    }
  });
});

describe("the start is refused with one line that says what to do", () => {
  test("when another process uses the data folder", async () => {
    const data = await newFolder("shared");
    const first = await ServiceProcess.start({ PORT: "0", DATA_DIR: data, LOG_LEVEL: "silent" });
    try {
      const outcome = await startInVain({ PORT: "0", DATA_DIR: data }, folder);
      expect(lineOf(outcome)).toMatch(/waypost\.db is in use by another Waypost process$/);
      expect((await first.request("GET", "/readyz")).status).toBe(200);
    } finally {
      expect(await first.terminate()).toBe(0);
    }
    const next = await ServiceProcess.start({ PORT: "0", DATA_DIR: data, LOG_LEVEL: "silent" });
    expect(await next.terminate()).toBe(0);
  });

  test("when the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const data = await newFolder("port");
    const outcome = await startInVain({ PORT: String(port), DATA_DIR: data }, folder);
    other.close();
    expect(lineOf(outcome)).toMatch(new RegExp(`^Port ${port} is in use already.*WAYPOST_PORT$`));
  });

  test.for([
    ["is empty", ""],
    ["is too short", "short\n"],
    ["holds bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ] as const)("when the file jwt-secret %s", async ([, content]) => {
    const data = await newFolder("secret");
    await writeFile(join(data, "jwt-secret"), content);
    const outcome = await startInVain({ PORT: "0", DATA_DIR: data }, folder);
    expect(lineOf(outcome)).toMatch(/jwt-secret must hold at least 32 characters; delete it/);
  });

  test("when the file jwt-secret is a folder", async () => {
    const data = await newFolder("secret-folder");
    await mkdir(join(data, "jwt-secret"));
    const outcome = await startInVain({ PORT: "0", DATA_DIR: data }, folder);
    expect(lineOf(outcome)).toMatch(/jwt-secret cannot be read: EISDIR/);
  });

  test("when the database file is no database", async () => {
    const data = await newFolder("garbage");
    await writeFile(join(data, "waypost.db"), "this is a text and no database\n".repeat(200));
    const outcome = await startInVain({ PORT: "0", DATA_DIR: data }, folder);
    expect(lineOf(outcome)).toMatch(/waypost\.db cannot be opened: file is not a database$/);
  });

  test("when the data folder cannot be made", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    const outcome = await startInVain({ PORT: "0", DATA_DIR: join(file, "data") }, folder);
    expect(lineOf(outcome)).toMatch(/a-file\/data cannot be made: ENOTDIR/);
  });

  test("when PostgreSQL does not answer", async () => {
    const url = "postgres://waypost:secret-word@127.0.0.1:1/waypost";
    const outcome = await startInVain({ PORT: "0", DATA_DIR: folder, DATABASE_URL: url }, folder);
    expect(lineOf(outcome)).toMatch(/^The database does not answer: .*ECONNREFUSED/);
    expect(outcome.err).not.toContain("secret-word");
  });

  test("when .env cannot be read", async () => {
    const place = await newFolder("env");
    await mkdir(join(place, ".env"));
    const outcome = await startInVain({ PORT: "0", DATA_DIR: folder }, place);
    expect(lineOf(outcome)).toMatch(/^\.env cannot be read: EISDIR/);
  });
});

test("a secret that was made is for its owner's eyes only, and stays the same", async () => {
  const data = join(folder, "fresh");
  const first = await ServiceProcess.start({ PORT: "0", DATA_DIR: data, LOG_LEVEL: "silent" });
  expect(await first.terminate()).toBe(0);
  const file = join(data, "jwt-secret");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(data)).mode & 0o777).toBe(0o700);
  await chmod(file, 0o400);
  const next = await ServiceProcess.start({ PORT: "0", DATA_DIR: data, LOG_LEVEL: "silent" });
  expect(await next.terminate()).toBe(0);
});
