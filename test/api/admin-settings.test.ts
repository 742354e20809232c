import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig, parseConfig } from "../../src/server/config.ts";
import { settings } from "../../src/server/settings.ts";
import { showSettings } from "../../src/server/system/shown-settings.ts";
import type { AdminSetting } from "../../src/shared/api/admin.ts";
import { join, setUp } from "../support/accounts.ts";
import { describeOnBothDatabases, SETUP_SECRET, type TestService } from "../support/service.ts";

function show(environment: Record<string, string>): Record<string, AdminSetting> {
  return byName(showSettings(parseConfig(environment).stated));
}

function byName(list: readonly AdminSetting[]): Record<string, AdminSetting> {
  return Object.fromEntries(list.map((each) => [each.name.replace("WAYPOST_", ""), each]));
}

describeOnBothDatabases("the settings for administrators", ({ dialect, start }) => {
  let service: TestService;
  beforeEach(async () => {
    service = await start({ env: { METRICS_TOKEN: "a-token-for-metrics", LOG_LEVEL: "warn" } });
  });
  afterEach(() => service.stop());

  test("are all there with their values, their defaults and where they come from", async () => {
    const token = await setUp(service);
    const answer = await service.request("GET", "/api/admin/settings", { token });
    expect(answer.status).toBe(200);
    const list = answer.body.settings as AdminSetting[];
    expect(list.map(({ name }) => name)).toEqual(settings.map(({ name }) => `WAYPOST_${name}`));
    const found = byName(list);
    expect(found["LOG_LEVEL"]).toMatchObject({
      value: "warn",
      default: "info",
      source: "environment",
      secret: false,
      set: true,
    });
    expect(found["WEBHOOK_POLICY"]).toMatchObject({ value: "lan", source: "default", set: true });
    expect(found["PUBLIC_URL"]).toMatchObject({ value: "", source: "default", set: false });
    const url = found["DATABASE_URL"];
    const isPostgres = dialect === "postgres";
    expect(url).toMatchObject({ set: isPostgres, secret: true });
    const shown = "postgres://waypost:[redacted]@127.0.0.1";
    expect(url?.value?.startsWith(shown) ?? null).toBe(isPostgres ? true : null);
    expect(list.every(({ description }) => description.length > 10)).toBe(true);
    const text = JSON.stringify(answer.body);
    for (const secret of ["a-token-for-metrics", SETUP_SECRET, "waypost:waypost@"]) {
      expect(text).not.toContain(secret);
    }
  });

  test("are shown to nobody else", async () => {
    await setUp(service);
    const token = await join(service, "ann@example.com");
    const statusOf = async (options: { token?: string }) =>
      (await service.request("GET", "/api/admin/settings", options)).status;
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ token })).toBe(403);
  });
});

describe("a setting as it is shown", () => {
  test("never has the value of a secret, whatever it is", () => {
    const secret = "word-that-nobody-may-see-0123456789";
    const values: Record<string, string> = {
      DATABASE_URL: `postgres://waypost:${secret}@db.example/waypost?sslpassword=${secret}&sslmode=require`,
      SMTP_URL: `smtps://mailer:${secret}@mail.example:465`,
      NOTICE_WEBHOOK_URL: `https://hooks.example/${secret}`,
      PUBLIC_URL: `https://user:${secret}@waypost.example`,
    };
    for (const { name, secret: isSecret } of settings) if (isSecret) values[name] ??= secret;
    const found = show(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`WAYPOST_${name}`, value])),
    );
    expect(JSON.stringify(found)).not.toContain(secret);
    for (const name of Object.keys(values)) expect(found[name]?.set).toBe(true);
    expect(found["DATABASE_URL"]?.value).toBe(
      "postgres://waypost:[redacted]@db.example/waypost?sslpassword=[redacted]&sslmode=require",
    );
    expect(found["SMTP_URL"]?.value).toBe("smtps://mailer:[redacted]@mail.example:465");
    expect(found["NOTICE_WEBHOOK_URL"]?.value).toBeNull();
  });

  test("that the service makes itself counts as set", () => {
    const found = show({});
    expect(found["JWT_SECRET"]).toMatchObject({ source: "generated", set: true, value: null });
    expect(found["SECRET_KEY"]).toMatchObject({ source: "generated", set: true, value: null });
    expect(found["METRICS_TOKEN"]).toMatchObject({ source: "default", set: false, value: null });
  });

  test("says which of environment, .env and a secret's file it comes from", async () => {
    const folder = await mkdtemp(joinPath(tmpdir(), "waypost-settings-"));
    const file = joinPath(folder, "key");
    await writeFile(file, `${"k".repeat(40)}\n`);
    await writeFile(
      joinPath(folder, ".env"),
      `WAYPOST_PORT=81\nWAYPOST_HOST=::1\nWAYPOST_JWT_SECRET_FILE=${file}\n`,
    );
    const config = loadConfig({ WAYPOST_PORT: "82" }, folder);
    await rm(folder, { recursive: true });
    expect([config.port, config.host, config.jwtSecret]).toEqual([82, "::1", "k".repeat(40)]);
    const found = byName(showSettings(config.stated));
    const sources = ["PORT", "HOST", "JWT_SECRET", "INSTANCE"].map((name) => found[name]?.source);
    expect(sources).toEqual(["environment", ".env", "file", "default"]);
  });
});
