import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  ADMIN,
  idOf,
  join,
  logIn,
  register,
  sessionStatus,
  setUp,
  sortedStatuses,
} from "../support/accounts.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

/** The requests of an administrator, by the path of an account. */
function requestsOf(service: () => TestService, session: () => string) {
  const send = (method: string, path: string, body?: unknown, token = session()) =>
    service().request(method, path, { token, ...(body === undefined ? {} : { body }) });
  return {
    get: (path: string, token?: string) => send("GET", path, undefined, token),
    put: (id: number | string, body: unknown, token?: string) =>
      send("PUT", `/api/admin/users/${id}`, body, token),
    remove: (id: number | string, token?: string) =>
      send("DELETE", `/api/admin/users/${id}`, undefined, token),
    makeLink: (id: number | string, body?: unknown) =>
      send("POST", `/api/admin/users/${id}/reset-link`, body),
  };
}

describeOnBothDatabases("the administration of accounts", ({ start }) => {
  let service: TestService;
  let admin: string;
  beforeEach(async () => {
    service = await start();
    admin = await setUp(service);
  });
  afterEach(() => service.stop());

  const { get, put, remove } = requestsOf(
    () => service,
    () => admin,
  );

  /** The addresses that a search finds. */
  const found = async (query: string) =>
    (await get(`/api/admin/users?${query}`)).body.users.map(
      ({ email }: { email: string }) => email,
    );

  /** Another administrator. */
  async function second(): Promise<{ id: number; token: string }> {
    await join(service, "second@example.com");
    const id = await idOf(service, admin, "second@example.com");
    await put(id, { is_admin: true });
    return { id, token: await logIn(service, "second@example.com") };
  }

  test("is closed to everybody else", async () => {
    const token = await join(service, "ann@example.com");
    const id = await idOf(service, admin, "ann@example.com");
    const requests = [
      ["GET", "/api/admin/users"],
      ["GET", `/api/admin/users/${id}`],
      ["PUT", `/api/admin/users/${id}`],
      ["DELETE", `/api/admin/users/${id}`],
      ["POST", `/api/admin/users/${id}/reset-link`],
      ["GET", "/api/admin/audit"],
    ] as const;
    for (const [method, path] of requests) {
      expect([path, (await service.request(method, path)).status]).toEqual([path, 401]);
      const refused = await service.request(method, path, { token, body: {} });
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, "forbidden"]);
    }
    expect((await put(id, { is_admin: true }, token)).status).toBe(403);
    expect(await sessionStatus(service, token)).toBe(200);
  });

  test("filters by a part of the address, in any case, and by what is true of an account", async () => {
    await join(service, "Ann_Lee@example.com");
    await register(service, "annXlee@example.com");
    await second();
    expect(await found("search=ANN")).toEqual(["Ann_Lee@example.com", "annXlee@example.com"]);
    expect(await found("search=ann_lee")).toEqual(["Ann_Lee@example.com"]);
    expect(await found("search=%25")).toEqual([]);
    expect(await found("search=ann&limit=1&after=2")).toEqual(["annXlee@example.com"]);
    expect(await found("verified=false")).toEqual(["annXlee@example.com"]);
    expect(await found("is_admin=true&search=second")).toEqual(["second@example.com"]);
    expect(await found("disabled=true")).toEqual([]);
  });

  test("lists every account with exactly the fields that are meant", async () => {
    const token = await join(service, "Ann@example.com");
    await register(service, "bob@example.com");
    for (let n = 0; n < 3; n++) await createNode(service, token, { node_name: `node ${n}` });
    const created_at = new Date(service.clock.now()).toISOString();
    const { status, body } = await get("/api/admin/users");
    expect(status).toBe(200);
    const common = { id: expect.any(Number), disabled: false, created_at };
    const users = [
      { ...common, email: ADMIN, is_admin: true, verified: true, node_count: 0 },
      { ...common, email: "Ann@example.com", is_admin: false, verified: true, node_count: 3 },
      { ...common, email: "bob@example.com", is_admin: false, verified: false, node_count: 0 },
    ];
    expect(body).toEqual({ users });
    expect((await get(`/api/admin/users/${body.users[1].id}`)).body).toEqual({
      user: body.users[1],
    });
    const page = await get(`/api/admin/users?limit=1&after=${body.users[0].id}`);
    expect(page.body).toEqual({ users: [body.users[1]] });
  });

  test("an empty change is fine and changes nothing", async () => {
    const token = await join(service, "ann@example.com");
    const id = await idOf(service, admin, "ann@example.com");
    expect((await put(id, {})).status).toBe(200);
    expect((await put(id, { is_admin: false, disabled: false })).status).toBe(200);
    expect(await sessionStatus(service, token)).toBe(200);
    const { entries } = (await get("/api/admin/audit")).body;
    expect(entries.filter((each: { action: string }) => each.action === "user.update")).toEqual([]);
  });

  test("the last administrator can be neither demoted, disabled nor deleted", async () => {
    const id = await idOf(service, admin, ADMIN);
    for (const answer of [
      await put(id, { is_admin: false }),
      await put(id, { disabled: true }),
      await put(id, { is_admin: false, disabled: true }),
      await remove(id),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, "last_administrator"]);
    }
    expect(await sessionStatus(service, admin)).toBe(200);
  });

  test("an administrator who cannot log in does not count", async () => {
    const id = await idOf(service, admin, ADMIN);
    await register(service, "unverified@example.com");
    await put(await idOf(service, admin, "unverified@example.com"), { is_admin: true });
    const other = await second();
    await put(other.id, { disabled: true });
    expect((await put(id, { is_admin: false })).status).toBe(409);
    expect((await remove(id)).status).toBe(409);
    await put(other.id, { disabled: false });
    expect((await put(id, { is_admin: false })).status).toBe(200);
  });

  test("an administrator may step down once there is another", async () => {
    const other = await second();
    expect((await remove(await idOf(service, admin, ADMIN))).status).toBe(200);
    expect(await sessionStatus(service, admin)).toBe(401);
    expect((await remove(other.id, other.token)).status).toBe(409);
  });

  test("administrators who go for each other at one time leave one", async () => {
    const one = await idOf(service, admin, ADMIN);
    const other = await second();
    const attacks = [
      () =>
        Promise.all([
          put(other.id, { is_admin: false }),
          put(one, { is_admin: false }, other.token),
        ]),
      () => Promise.all([put(other.id, { disabled: true }), remove(one, other.token)]),
    ];
    for (const attack of attacks) {
      const statuses = sortedStatuses(await attack());
      // The loser is refused as the last one, or no longer heard at all.
      expect([
        [200, 401],
        [200, 409],
      ]).toContainEqual(statuses);
      const survivor = (await sessionStatus(service, admin)) === 200 ? admin : other.token;
      const { status, body } = await get("/api/admin/users", survivor);
      expect(status).toBe(200);
      const acting = body.users.filter(
        (each: { is_admin: boolean; disabled: boolean }) => each.is_admin && !each.disabled,
      );
      expect(acting).toHaveLength(1);
      if (survivor !== admin) break;
      await put(other.id, { is_admin: true, disabled: false }, admin);
      other.token = await logIn(service, "second@example.com");
    }
  });

  test("of many who step down at one time, one remains", async () => {
    const emails = ["a@example.com", "b@example.com", "c@example.com", "d@example.com"];
    const tokens = new Map([[ADMIN, admin]]);
    for (const email of emails) {
      await join(service, email);
      await put(await idOf(service, admin, email), { is_admin: true });
      tokens.set(email, await logIn(service, email));
    }
    const ids = new Map<string, number>();
    for (const email of tokens.keys()) ids.set(email, await idOf(service, admin, email));
    const answers = await Promise.all(
      [...tokens].map(([email, token]) => put(ids.get(email) ?? 0, { is_admin: false }, token)),
    );
    expect(sortedStatuses(answers)).toEqual([200, 200, 200, 200, 409]);
  });

  test("a deleted account takes its nodes with it, and nobody else's", async () => {
    const ann = await join(service, "ann@example.com");
    const bob = await join(service, "bob@example.com");
    const gone = await createNode(service, ann, { node_name: "same name" });
    const kept = await createNode(service, bob, { node_name: "same name" });
    expect((await sendReport(service, "ann@example.com", gone)).status).toBe(200);
    expect((await sendReport(service, "bob@example.com", kept)).status).toBe(200);

    expect((await remove(await idOf(service, admin, "ann@example.com"))).status).toBe(200);
    const listed = async () =>
      (await service.request("POST", "/api/query", { body: {} })).body.nodes.map(
        (each: { id: number }) => each.id,
      );
    expect(await listed()).toEqual([kept.id]);
    expect((await sendReport(service, "ann@example.com", gone)).status).toBe(404);
    await service.restart();
    expect(service.service.fleet.size).toBe(1);

    const back = await join(service, "ann@example.com");
    expect((await service.request("GET", "/api/nodes/my", { token: back })).body.nodes).toEqual([]);
    expect(
      (await get(`/api/admin/users/${await idOf(service, admin, "ann@example.com")}`)).status,
    ).toBe(200);
  });

  test("an account that is deleted while its nodes are made leaves none behind", async () => {
    const ann = await join(service, "ann@example.com");
    const id = await idOf(service, admin, "ann@example.com");
    const creations = Array.from({ length: 12 }, (_, n) =>
      service.request("POST", "/api/nodes/", {
        token: ann,
        body: {
          node_name: `node ${n}`,
          region_type: "domestic",
          connections: [{ type: "TCP", ip: "203.0.113.7", port: 11010 }],
        },
      }),
    );
    const [removed, ...created] = await Promise.all([remove(id), ...creations]);
    expect(removed?.status).toBe(200);
    for (const each of created) expect([201, 401]).toContain(each.status);
    expect(service.service.fleet.size).toBe(0);
    await service.restart();
    expect(service.service.fleet.size).toBe(0);
  });
});

describeOnBothDatabases("what the administration of accounts refuses", ({ start }) => {
  let service: TestService;
  let admin: string;
  beforeAll(async () => {
    service = await start();
    admin = await setUp(service);
  });
  afterAll(() => service.stop());

  const { get, put, remove, makeLink } = requestsOf(
    () => service,
    () => admin,
  );

  test.each(["limit=0", "limit=1001", "limit=x", "after=-1", "limit=1&limit=2", "page=2"])(
    "refuses the list query %s",
    async (query) => {
      expect((await get(`/api/admin/users?${query}`)).status).toBe(400);
    },
  );

  test.each([
    "0",
    "-1",
    "abc",
    "1.5",
    "1e3",
    "99999999999999999999",
    "9007199254740993",
    "%00",
    "'",
  ])("knows no account with the id %s", async (id) => {
    expect((await get(`/api/admin/users/${id}`)).status).toBe(404);
    expect((await put(id, {})).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await makeLink(id)).status).toBe(404);
  });

  test("knows no account with an id that is not given out", async () => {
    for (const answer of [await get("/api/admin/users/77"), await put(77, {}), await remove(77)]) {
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    }
    expect((await makeLink(77)).status).toBe(404);
  });

  test.each([
    ["a field that is not known", { email: "x@example.com" }, "email"],
    ["a flag that is a number", { is_admin: 1 }, "is_admin"],
    ["a flag that is text", { disabled: "true" }, "disabled"],
    ["null", { disabled: null }, "disabled"],
    ["a list", [], ""],
  ])("refuses a change with %s, before it looks for the account", async (_name, body, path) => {
    const answer = await put(77, body);
    expect([answer.status, answer.body.fields[0].path]).toEqual([400, path]);
  });

  test("a reset link takes no fields", async () => {
    const id = await idOf(service, admin, ADMIN);
    expect((await makeLink(id, { email: "x@example.com" })).status).toBe(400);
    expect((await makeLink(id, {})).status).toBe(201);
    expect((await makeLink(id)).status).toBe(201);
  });
});
