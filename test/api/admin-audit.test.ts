import { afterEach, beforeEach, expect, test } from "vitest";
import { ADMIN, idOf, join, logIn, PASSWORD, register, setUp } from "../support/accounts.ts";
import { nodeBody } from "../support/nodes.ts";
import { describeOnBothDatabases, SETUP_SECRET, type TestService } from "../support/service.ts";

interface Entry {
  id: number;
  at: string;
  actor: string;
  actor_id: number | null;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

describeOnBothDatabases("the audit log", ({ start }) => {
  let service: TestService;
  let admin: string;
  beforeEach(async () => {
    service = await start();
    admin = await setUp(service);
  });
  afterEach(() => service.stop());

  const post = (path: string, body: unknown, token?: string) =>
    service.request("POST", path, { body, ...(token ? { token } : {}) });
  async function read(query = ""): Promise<Entry[]> {
    const answer = await service.request("GET", `/api/admin/audit${query}`, { token: admin });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(["entries"]);
    return answer.body.entries as Entry[];
  }

  const actions = async (query: string) => (await read(query)).map(({ action }) => action);

  test("notes who changed what and when, newest first", async () => {
    const ann = await join(service, "ann@example.com");
    const id = await idOf(service, admin, "ann@example.com");
    const me = await idOf(service, admin, ADMIN);
    await post(
      "/api/auth/change-password",
      { current_password: PASSWORD, new_password: "another one" },
      ann,
    );
    const again = await logIn(service, "ann@example.com", "another one");
    await post("/api/auth/logout-everywhere", {}, again);
    const user = `/api/admin/users/${id}`;
    const link = await post(`${user}/reset-link`, {}, admin);
    await post("/api/auth/reset-password", {
      token: link.body.reset_token,
      password: "a third one",
    });
    await service.request("PUT", user, { token: admin, body: { is_admin: true, disabled: false } });
    await service.request("DELETE", user, { token: admin });

    const entries = await read();
    const byAnn = { actor: "ann@example.com", actor_id: id, subject: `user:${id}` };
    const byAdmin = { actor: ADMIN, actor_id: me, subject: `user:${id}` };
    const email = "ann@example.com";
    const at = new Date(service.clock.now()).toISOString();
    const common = { id: expect.any(Number), at, details: {} };
    expect(entries).toEqual([
      { ...common, ...byAdmin, action: "user.delete", details: { email } },
      { ...common, ...byAdmin, action: "user.update", details: { email, is_admin: true } },
      { ...common, ...byAnn, action: "user.reset_password" },
      { ...common, ...byAdmin, action: "user.make_reset_link", details: { email } },
      { ...common, ...byAnn, action: "user.log_out_everywhere" },
      { ...common, ...byAnn, action: "user.change_password" },
      { ...common, ...byAnn, action: "user.verify" },
      { ...common, ...byAnn, action: "user.register" },
      { ...common, actor: ADMIN, actor_id: me, subject: `user:${me}`, action: "system.initialize" },
    ]);
  });

  test("shows what was done by somebody, to something, in some way", async () => {
    const ann = await join(service, "Ann@example.com");
    await post("/api/nodes/", nodeBody(), ann);
    await post("/api/auth/logout-everywhere", {}, ann);
    const id = await idOf(service, admin, "Ann@example.com");
    expect(await actions("?actor=ANN&action=user")).toEqual([
      "user.log_out_everywhere",
      "user.verify",
      "user.register",
    ]);
    expect(await actions("?action=node.create")).toEqual(["node.create"]);
    expect(await actions("?action=use")).toEqual([]);
    expect(await actions(`?subject=user%3A${id}&limit=1`)).toEqual(["user.log_out_everywhere"]);
    expect(await actions("?actor=%25")).toEqual([]);
    const refused = await service.request("GET", "/api/admin/audit?action=%25", { token: admin });
    expect([refused.status, refused.body.fields[0].path]).toEqual([400, "action"]);
  });

  test("holds no secret", async () => {
    const verification = await register(service, "ann@example.com", "a secret password");
    const id = await idOf(service, admin, "ann@example.com");
    const link = await post(`/api/admin/users/${id}/reset-link`, {}, admin);
    const text = JSON.stringify(await read());
    for (const secret of ["a secret password", verification, link.body.reset_token, SETUP_SECRET]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain("argon2");
  });

  test("notes nothing that did not happen", async () => {
    const before = await read();
    const id = await idOf(service, admin, ADMIN);
    await post("/api/auth/login", { email: ADMIN, password: "not the password" });
    await post("/api/auth/register", { email: ADMIN, password: PASSWORD });
    await post("/api/auth/reset-password", { token: "unknown", password: PASSWORD });
    await service.request("GET", "/api/auth/verify?token=unknown");
    await service.request("DELETE", `/api/admin/users/${id}`, { token: admin });
    expect(await read()).toEqual(before);
  });

  test("is read in pages", async () => {
    for (let n = 0; n < 60; n++) await register(service, `person${n}@example.com`);
    const first = await read();
    expect(first).toHaveLength(50);
    const rest = await read(`?before=${first.at(-1)?.id}`);
    expect(rest).toHaveLength(11);
    const ids = [...first, ...rest].map((each) => each.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(await read("?limit=200")).toEqual([...first, ...rest]);
    expect(await read(`?limit=2&before=${first[3]?.id}`)).toEqual(first.slice(4, 6));
  });

  test.each(["limit=0", "limit=201", "limit=many", "before=0", "before=x", "who=ann"])(
    "refuses the query %s",
    async (query) => {
      const answer = await service.request("GET", `/api/admin/audit?${query}`, { token: admin });
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    },
  );
});
