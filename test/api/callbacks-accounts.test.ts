import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { join } from "../support/accounts.ts";
import { CallbackWorld } from "../support/callback-world.ts";
import { describeOnBothDatabases } from "../support/service.ts";

const ACCOUNTS = "/api/callbacks/accounts";

describeOnBothDatabases("accounts of callbacks", (context) => {
  let world: CallbackWorld;
  beforeAll(async () => {
    world = await CallbackWorld.start(context);
  });
  afterAll(() => world.stop());

  const create = (fields: object) =>
    world.ask("POST", ACCOUNTS, {
      name: "any",
      type: "webhook",
      config: { url: "http://127.0.0.1:1/" },
      ...fields,
    });

  test("and all else of callbacks is for administrators", async () => {
    const user = await join(world.service, "user@example.com");
    const paths: [method: string, path: string][] = [
      ["GET", ACCOUNTS],
      ["POST", ACCOUNTS],
      ["GET", `${ACCOUNTS}/1`],
      ["PUT", `${ACCOUNTS}/1`],
      ["DELETE", `${ACCOUNTS}/1`],
      ["POST", `${ACCOUNTS}/1/test`],
      ["GET", "/api/callbacks/tasks"],
      ["POST", "/api/callbacks/tasks"],
      ["GET", "/api/callbacks/tasks/1"],
      ["PUT", "/api/callbacks/tasks/1"],
      ["DELETE", "/api/callbacks/tasks/1"],
      ["POST", "/api/callbacks/tasks/1/run"],
      ["GET", "/api/callbacks/runs"],
      ["GET", "/api/callbacks/runs/1"],
      ["GET", "/api/callbacks/runs/1/next-attempt"],
      ["GET", "/api/callbacks/runs/export?format=csv"],
      ["POST", "/api/callbacks/runs/1/retry"],
      ["POST", "/api/callbacks/runs/1/cancel"],
      ["POST", "/api/callbacks/preview"],
    ];
    for (const [method, path] of paths) {
      expect([path, (await world.service.request(method, path)).status]).toEqual([path, 401]);
      const refused = await world.service.request(method, path, { token: user });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  test("are created, listed, read, changed and deleted", async () => {
    const config = {
      url: "http://127.0.0.1:1/{{ public_ip }}",
      headers: "X-Rule: {{ rule_name }}",
      signing_secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    };
    const { status, body } = await create({ name: " first ", config });
    expect(status).toBe(201);
    const account = {
      id: expect.any(Number) as unknown,
      name: "first",
      type: "webhook",
      config: { ...config, signing_secret: { set: true, hint: "…LaSw" } },
      created_at: expect.any(String) as unknown,
      updated_at: expect.any(String) as unknown,
    };
    expect(body).toEqual({ message: "The account is created", account });
    const path = `${ACCOUNTS}/${body.account.id as number}`;
    expect((await world.ask("GET", path)).body).toEqual({ account: body.account });
    const { accounts } = (await world.ask("GET", ACCOUNTS)).body as { accounts: unknown[] };
    expect(accounts).toContainEqual(body.account);

    const changed = await world.ask("PUT", path, { config: { headers: null, method: "GET" } });
    expect(changed.status).toBe(200);
    expect(changed.body.account.config).toEqual({
      url: config.url,
      method: "GET",
      signing_secret: account.config.signing_secret,
    });
    expect((await world.ask("PUT", path, {})).body.account).toEqual(changed.body.account);
    expect((await world.ask("DELETE", path)).body).toEqual({ message: "The account is deleted" });
    expect((await world.ask("GET", path)).status).toBe(404);
    expect((await world.ask("DELETE", path)).status).toBe(404);
    expect((await world.ask("PUT", path, { name: "x" })).status).toBe(404);
  });

  test("keep a secret that is left out or sent back as it was answered", async () => {
    const config = {
      api_token: "a-token-of-some-length",
      zone_id: "zone",
      rule_id: "rule",
      base_url: world.target.url,
    };
    const { body } = await create({ name: "kept", type: "cloudflare_origin_rule", config });
    const path = `${ACCOUNTS}/${body.account.id as number}`;
    const shown = body.account.config as object;
    for (const given of [{ zone_id: "zone2" }, shown]) {
      const answer = await world.ask("PUT", path, { config: given });
      expect(answer.body.account.config.api_token).toEqual({ set: true, hint: "…ngth" });
    }
    world.target.received.length = 0;
    await world.ask("POST", `${path}/test`);
    expect(world.target.received[0]?.message.headers.authorization).toBe(
      "Bearer a-token-of-some-length",
    );
    const taken = await world.ask("PUT", path, { config: { api_token: null } });
    expect([taken.status, taken.body.fields]).toEqual([
      400,
      [{ path: "config.api_token", message: "is required" }],
    ]);
  });

  describe("are refused with 400", () => {
    test.for([
      ["a name that is taken", { name: "taken" }, "name"],
      ["an empty name", { name: "  " }, "name"],
      ["an unknown field", { colour: "red" }, "colour"],
      ["an unknown type", { type: "carrier_pigeon" }, "type"],
      ["no URL", { config: {} }, "config.url"],
      ["a field that the type does not have", { config: { url: "http://a/", a: 1 } }, "config.a"],
      [
        "an unknown name in a template",
        { config: { url: "http://a/{{ pubic_ip }}" } },
        "config.url",
      ],
      [
        "a body that is not JSON",
        { config: { url: "http://a/", body_template: '{"ip": {{ public_ip }} }' } },
        "config.body_template",
      ],
      ["a URL that is none", { config: { url: "nowhere" } }, "config.url"],
    ] as const)("for %s", async ([, fields, path]) => {
      await create({ name: "taken" });
      const { status, body } = await create({ name: "other", ...fields });
      expect(status).toBe(400);
      expect((body.fields as { path: string }[]).map((each) => each.path)).toContain(path);
      const { accounts } = (await world.ask("GET", ACCOUNTS)).body;
      expect(accounts.filter((each: { name: string }) => each.name === "other")).toEqual([]);
    });

    test("and told what was probably meant", async () => {
      const { body } = await create({ name: "x", config: { url: "http://a/{{ pubic_ip }}" } });
      expect(body.error).toContain("{{ pubic_ip }} is unknown; did you mean");
      expect(body.error).toContain("public_ip");
    });
  });

  test("that tasks use cannot be deleted, nor can their rule", async () => {
    const rule = await world.openRule({ name: "used" });
    const account_id = await world.addAccount({ name: "used" });
    for (const name of ["one", "two"]) {
      await world.addTask({ name, stun_rule_id: rule.id, account_id });
    }
    const paths = [`${ACCOUNTS}/${account_id}`, `/api/stun/rules/${rule.id}`];
    for (const path of paths) {
      const { status, body } = await world.ask("DELETE", path);
      expect([status, body.code]).toEqual([409, "conflict"]);
      expect(body.error).toMatch(/one, two$/);
      expect((await world.ask("GET", path)).status).toBe(200);
    }
    const { tasks } = (await world.ask("GET", "/api/callbacks/tasks")).body;
    for (const { id } of tasks as { id: number }[]) {
      expect((await world.ask("DELETE", `/api/callbacks/tasks/${id}`)).status).toBe(200);
    }
    for (const path of paths) expect((await world.ask("DELETE", path)).status).toBe(200);
  });

  test("can be tested: a webhook is sent the event test, and it enters no history", async () => {
    const id = await world.addAccount({ name: "tested" });
    world.target.received.length = 0;
    const found = await world.ask("POST", `${ACCOUNTS}/${id}/test`);
    expect([found.status, found.body.ok]).toEqual([200, true]);
    const sent = JSON.parse(world.target.received[0]?.body.toString() ?? "") as object;
    expect(sent).toMatchObject({ event: "test", run_id: null, public_ip: "203.0.113.7" });

    world.target.failNext({ status: 500, body: "no" });
    const failed = await world.ask("POST", `${ACCOUNTS}/${id}/test`);
    expect(failed.body).toMatchObject({
      ok: false,
      message: "The target answered 500: no success",
    });
    expect(await world.runs()).toEqual([]);
    expect((await world.ask("POST", `${ACCOUNTS}/999999/test`)).status).toBe(404);
  });

  test("templates can be tried with the live mapping", async () => {
    const rule = await world.openRule({ name: "shown" });
    const template = '{"ip": "{{ public_ip }}", "port": {{ public_port }}, "of": "{{rule_name}}"}';
    const preview = (fields: object) =>
      world.ask("POST", "/api/callbacks/preview", { template, place: "json", ...fields });
    const live = await preview({ stun_rule_id: rule.id });
    expect(live.body.preview).toMatchObject({
      text: '{"ip": "203.0.113.7", "port": 5000, "of": "shown"}',
      is_live: true,
      values: { public_ip: "203.0.113.7", public_port: 5000 },
    });
    expect((await preview({})).body.preview.is_live).toBe(false);
    const wrong = await preview({ template: "{{ publicPort }}" });
    expect([wrong.status, wrong.body.fields[0].path]).toEqual([400, "template"]);
    expect(wrong.body.error).toContain("did you mean");
    expect((await preview({ stun_rule_id: 999_999 })).status).toBe(404);
  });

  test("who changed what is on record, without the values", async () => {
    const { body } = await create({ name: "audited" });
    const path = `${ACCOUNTS}/${body.account.id as number}`;
    await world.ask("PUT", path, { config: { signing_secret: "whsec_AAAAAAAAAAAAAAAA" } });
    await world.ask("DELETE", path);
    const { entries } = (await world.ask("GET", "/api/admin/audit?limit=3")).body;
    const subject = `callback_account:${body.account.id as number}`;
    expect(entries).toMatchObject([
      { action: "callback_account.delete", subject, details: { name: "audited" } },
      {
        action: "callback_account.update",
        subject,
        details: { changed: ["config.signing_secret"] },
      },
      { action: "callback_account.create", subject, details: { name: "audited", type: "webhook" } },
    ]);
  });
});
