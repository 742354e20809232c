import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { join, setUp } from "../support/accounts.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";
import { storedText } from "../support/stored-text.ts";

const ACCOUNTS = "/api/domains/accounts";
const SECRETS = ["c2VjcmV0LW9mLXRoZS10c2lnLWtleQ==", "desec-token-0123456789-abcd"];

const rfc2136 = {
  server: "127.0.0.1:1",
  zone: "example.com",
  key_name: "ddns-key.",
  key_secret: SECRETS[0],
};
const desec = { token: SECRETS[1], domain: "example.com", base_url: "http://127.0.0.1:1/api/v1" };

describeOnBothDatabases("domain accounts", ({ start }) => {
  let service: TestService;
  let admin: string;
  beforeAll(async () => {
    service = await start();
    admin = await setUp(service);
  });
  afterAll(() => service.stop());

  const ask = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { token: admin, ...(body === undefined ? {} : { body }) });
  const create = (fields: object = {}) =>
    ask("POST", ACCOUNTS, { name: "any", provider: "rfc2136", config: rfc2136, ...fields });
  const add = async (fields: object) => {
    const { status, body } = await create(fields);
    expect([status, body.error]).toEqual([201, undefined]);
    return `${ACCOUNTS}/${body.account.id as number}`;
  };
  const auditOf = async (path: string) => {
    const subject = `domain_account:${path.slice(ACCOUNTS.length + 1)}`;
    const { body } = await ask("GET", "/api/admin/audit?limit=200");
    const entries = body.entries as { subject: string; action: string; details: object }[];
    return entries
      .filter((each) => each.subject === subject)
      .map(({ action, details }) => ({ action, details }));
  };

  test("are for administrators", async () => {
    const user = await join(service, "user@example.com");
    const paths = [
      ["GET", ACCOUNTS],
      ["POST", ACCOUNTS],
      ["GET", `${ACCOUNTS}/1`],
      ["PUT", `${ACCOUNTS}/1`],
      ["DELETE", `${ACCOUNTS}/1`],
      ["POST", `${ACCOUNTS}/1/test`],
    ] as const;
    for (const [method, path] of paths) {
      expect([path, (await service.request(method, path)).status]).toEqual([path, 401]);
      const refused = await service.request(method, path, { token: user });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  test("are created, listed, read, changed and deleted, and all of that is on record", async () => {
    const { status, body } = await create({ name: " first " });
    expect(status).toBe(201);
    const account = {
      id: expect.any(Number) as unknown,
      name: "first",
      provider: "rfc2136",
      config: { ...rfc2136, key_secret: { set: true, hint: "…eQ==" } },
      created_at: new Date(service.clock.now()).toISOString(),
      updated_at: new Date(service.clock.now()).toISOString(),
    };
    expect(body).toEqual({ message: "The account is created", account });
    const path = `${ACCOUNTS}/${body.account.id as number}`;
    expect((await ask("GET", path)).body).toEqual({ account: body.account });
    expect((await ask("GET", ACCOUNTS)).body.accounts).toContainEqual(body.account);

    service.clock.advance(1000);
    const change = {
      name: "renamed",
      config: { zone: "example.net", key_algorithm: "hmac-sha512" },
    };
    const changed = await ask("PUT", path, change);
    expect([changed.status, changed.body.message]).toEqual([200, "The account is changed"]);
    expect(changed.body.account).toMatchObject({
      name: "renamed",
      config: { ...account.config, ...change.config },
      created_at: account.created_at,
      updated_at: new Date(service.clock.now()).toISOString(),
    });
    const back = await ask("PUT", path, { config: { key_algorithm: null } });
    expect(back.body.account.config).not.toHaveProperty("key_algorithm");
    expect((await ask("PUT", path, {})).body.account).toEqual(back.body.account);
    expect((await ask("DELETE", path)).body).toEqual({ message: "The account is deleted" });
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await ask(method, path, method === "PUT" ? {} : undefined)).status).toBe(404);
    }
    expect((await ask("POST", `${path}/test`)).status).toBe(404);
    expect(await auditOf(path)).toEqual([
      { action: "domain_account.delete", details: { name: "renamed" } },
      {
        action: "domain_account.update",
        details: { name: "renamed", changed: ["config.key_algorithm"] },
      },
      {
        action: "domain_account.update",
        details: { name: "renamed", changed: ["name", "config.zone", "config.key_algorithm"] },
      },
      { action: "domain_account.create", details: { name: "first", provider: "rfc2136" } },
    ]);
  });

  test("keep a secret that is left out or sent back as it was answered, and no other's", async () => {
    const path = await add({ name: "kept" });
    const shown = (await ask("GET", path)).body.account.config as object;
    for (const config of [shown, { server: "127.0.0.1:2" }]) {
      const { body } = await ask("PUT", path, { config });
      expect(body.account.config.key_secret).toEqual({ set: true, hint: "…eQ==" });
    }
    const taken = await ask("PUT", path, { config: { key_secret: null } });
    expect([taken.status, taken.body.fields]).toEqual([
      400,
      [{ path: "config.key_secret", message: "is required" }],
    ]);
    // Another provider needs a config of its own.
    const bare = await ask("PUT", path, { provider: "desec" });
    expect(bare.status).toBe(400);
    const other = await ask("PUT", path, { provider: "desec", config: desec });
    expect(other.body.account).toMatchObject({
      provider: "desec",
      config: { ...desec, token: { set: true, hint: "…abcd" } },
    });
  });

  test("show no secret, and store none that can be read", async () => {
    await add({ name: "secret 1" });
    await add({ name: "secret 2", provider: "desec", config: desec });
    const texts = [
      await storedText(service.config),
      JSON.stringify((await ask("GET", ACCOUNTS)).body),
      JSON.stringify((await ask("GET", "/api/admin/audit?limit=200")).body),
    ];
    for (const text of texts) {
      for (const secret of SECRETS) expect(text).not.toContain(secret);
    }
    expect(texts[0]).toContain("wp1.");
  });

  describe("are refused with 400", () => {
    const cloudflare = { api_token: "t".repeat(40), zone_id: "0".repeat(32) };
    const powerdns = { base_url: "http://127.0.0.1:8081", api_key: "k", zone: "example.com" };
    test.for<[what: string, fields: object, path: string]>([
      ["an unknown field", { colour: "red" }, "colour"],
      ["an empty name", { name: " " }, "name"],
      ["a name with a line break", { name: "a\nb" }, "name"],
      ["a name of 65 characters", { name: "x".repeat(65) }, "name"],
      ["an unknown provider", { provider: "carrier_pigeon" }, "provider"],
      ["a config that is a list", { config: [] }, "config"],
      ["an unknown field of the config", { config: { ...rfc2136, port: 53 } }, "config.port"],
      ["a server without a port", { config: { ...rfc2136, server: "ns1" } }, "config.server"],
      ["a zone that is no name", { config: { ...rfc2136, zone: "a b" } }, "config.zone"],
      ["a key name that is none", { config: { ...rfc2136, key_name: "" } }, "config.key_name"],
      ["a secret not in Base64", { config: { ...rfc2136, key_secret: "?" } }, "config.key_secret"],
      [
        "an old algorithm",
        { config: { ...rfc2136, key_algorithm: "hmac-md5" } },
        "config.key_algorithm",
      ],
      [
        "a token with a line break",
        { provider: "cloudflare", config: { ...cloudflare, api_token: "a\nb" } },
        "config.api_token",
      ],
      [
        "a zone id that is a path",
        { provider: "cloudflare", config: { ...cloudflare, zone_id: "../accounts" } },
        "config.zone_id",
      ],
      [
        "a base URL with a user in it",
        { provider: "cloudflare", config: { ...cloudflare, base_url: "https://a:b@c.example" } },
        "config.base_url",
      ],
      [
        "a base URL of another scheme",
        { provider: "powerdns", config: { ...powerdns, base_url: "file:///etc" } },
        "config.base_url",
      ],
      [
        "no base URL",
        { provider: "powerdns", config: { api_key: "k", zone: "a" } },
        "config.base_url",
      ],
      [
        "a server id that is a path",
        { provider: "powerdns", config: { ...powerdns, server_id: "a/b" } },
        "config.server_id",
      ],
      [
        "a user name with a colon",
        {
          provider: "dyndns2",
          config: { base_url: "https://dyn.example", username: "a:b", password: "p" },
        },
        "config.username",
      ],
      ["a config of another provider", { provider: "duckdns", config: desec }, "config.domain"],
    ])("%s", async ([, fields, path]) => {
      const { status, body } = await create({ name: "refused", ...fields });
      expect([status, body.code]).toEqual([400, "invalid_request"]);
      expect((body.fields as { path: string }[]).map((each) => each.path)).toContain(path);
    });

    test("a name that is taken", async () => {
      const path = await add({ name: "taken" });
      for (const answer of [
        await create({ name: " taken " }),
        await ask("PUT", await add({ name: "free" }), { name: "taken" }),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([400, "name_taken"]);
        expect(answer.body.fields).toMatchObject([{ path: "name" }]);
      }
      expect((await ask("PUT", path, { name: "taken" })).status).toBe(200);
    });
  });

  test("say by a test why the provider cannot be used, without a secret", async () => {
    const path = await add({ name: "dead", provider: "desec", config: desec });
    const { status, body } = await ask("POST", `${path}/test`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: false,
      message: expect.stringContaining("refused the connection") as unknown,
      details: { error_class: "network" },
    });
  });

  test("never reach what callbacks may not reach", async () => {
    const { port } = new URL(service.origin);
    for (const server of ["169.254.169.254:53", `127.0.0.1:${port}`]) {
      const path = await add({ name: `bad ${server}`, config: { ...rfc2136, server } });
      const { body } = await ask("POST", `${path}/test`);
      expect(body).toMatchObject({ ok: false, details: { error_class: "refused_by_policy" } });
    }
  });
});
