import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, join, logIn, PASSWORD, register, tryLogIn, verify } from "../support/accounts.ts";
import type { Answer } from "../support/client.ts";
import { createNode, nodeBody, sendReport } from "../support/nodes.ts";
import { describeOnBothDatabases, SETUP_SECRET, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";

/** How many answers had each status. */
function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function atOnce<T>(count: number, act: (number: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => act(number)));
}

describeOnBothDatabases("of several who do the same at once,", (context) => {
  let service: TestService;
  let session: string;

  beforeAll(async () => {
    service = await context.start();
    session = await join(service, OWNER);
  });
  afterAll(() => service.stop());

  test("one sets the system up", async () => {
    const answers = await atOnce(8, (number) =>
      service.request("POST", "/api/system/initialize", {
        body: {
          jwt_secret: SETUP_SECRET,
          email: `admin-${number}@example.com`,
          password: PASSWORD,
        },
      }),
    );
    expect(tally(answers)).toEqual({ 201: 1, 400: 7 });
    const winner = answers.find((each) => each.status === 201)?.body.admin_email as string;
    for (const refused of answers.filter((each) => each.status === 400)) {
      expect(refused.body.code).toBe("already_initialized");
    }
    const token = await logIn(service, winner);
    const users = await service.request("GET", "/api/admin/users", { token });
    const admins = (users.body.users as { email: string; is_admin: boolean }[]).filter(
      (user) => user.is_admin,
    );
    expect(admins.map((user) => user.email)).toEqual([winner]);
    expect((await tryLogIn(service, ADMIN)).status).toBe(401);
  });

  test("one verifies the address, and nobody after it", async () => {
    const token = await register(service, "twice@example.com");
    const answers = await atOnce(8, () => verify(service, token));
    expect(tally(answers)).toEqual({ 200: 1, 400: 7 });
    expect((await verify(service, token)).status).toBe(400);
    expect((await tryLogIn(service, "twice@example.com")).status).toBe(200);
  });

  test("one node gets the name", async () => {
    const answers = await atOnce(8, () =>
      service.request("POST", "/api/nodes/", {
        token: session,
        body: nodeBody({ node_name: "wanted" }),
      }),
    );
    expect(tally(answers)).toEqual({ 201: 1, 400: 7 });
    const refused = answers.find((each) => each.status === 400);
    expect(refused?.body).toMatchObject({ code: "name_taken", fields: [{ path: "node_name" }] });
    const { body } = await service.request("GET", "/api/nodes/my", { token: session });
    const names = (body.nodes as { node_name: string }[]).map((node) => node.node_name);
    expect(names.filter((name) => name === "wanted")).toHaveLength(1);
  });

  test("everybody may register an unverified address, and one of the tokens works", async () => {
    const answers = await atOnce(8, () =>
      service.request("POST", "/api/auth/register", {
        body: { email: "several@example.com", password: PASSWORD },
      }),
    );
    expect(tally(answers)).toEqual({ 201: 8 });
    const tokens = answers.map((answer) => answer.body.verification_token as string);
    expect(tally(await Promise.all(tokens.map((token) => verify(service, token))))).toEqual({
      200: 1,
      400: 7,
    });
  });

  test("one deletes the node, while reports get 200 or 404 and nothing else", async () => {
    const others = await createNode(service, session, { node_name: "stays" });
    for (let round = 0; round < 5; round++) {
      const node = await createNode(service, session, { node_name: `goes-${round}` });
      const report = () => sendReport(service, OWNER, node, { reported_traffic: 1 });
      const untilRefused = async (): Promise<Answer> => {
        for (;;) {
          const answer = await report();
          if (answer.status !== 200) return answer;
        }
      };
      expect((await report()).status).toBe(200);
      const refusals = atOnce(20, untilRefused);
      const aside = atOnce(10, () => sendReport(service, OWNER, others, { reported_traffic: 1 }));
      const deletions = atOnce(3, () =>
        service.request("DELETE", `/api/nodes/${node.id}`, { token: session }),
      );
      expect(tally(await deletions)).toEqual({ 200: 1, 404: 2 });
      expect(tally(await refusals)).toEqual({ 404: 20 });
      expect(tally(await aside)).toEqual({ 200: 10 });
    }
    // Nothing of the deleted nodes' reports went to the one beside them, now or after a restart.
    await service.restart();
    const token = await logIn(service, OWNER);
    const { body } = await service.request("GET", `/api/nodes/${others.id}`, { token });
    expect(body.node.used_traffic).toBe(50);
    const mine = await service.request("GET", "/api/nodes/my", { token });
    const names = (mine.body.nodes as { node_name: string }[]).map((node) => node.node_name);
    expect(names.filter((name) => name.startsWith("goes"))).toEqual([]);
  });
});
