import { afterAll, beforeAll, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/server/lib/clock.ts";
import { join, setUp } from "../support/accounts.ts";
import { createNode, sendReport, type CreatedNode } from "../support/nodes.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";

describeOnBothDatabases("one node of the public list", ({ start }) => {
  let service: TestService;
  let admin: string;
  let owner: string;
  let node: CreatedNode;
  beforeAll(async () => {
    service = await start();
    admin = await setUp(service);
    owner = await join(service, OWNER);
    node = await createNode(service, owner, { tags: "fast" });
    await sendReport(service, OWNER, node, { current_bandwidth: 12, reported_traffic: 0.5 });
    service.clock.advance(2 * MINUTE_MS);
    await sendReport(service, OWNER, node, { current_bandwidth: 12 });
  });
  afterAll(() => service.stop());

  const get = (path: string) => service.request("GET", `/api/public/nodes/${path}`);

  test("is what the list says of it, to pages of any origin", async () => {
    const answer = await get(String(node.id));
    const list = await service.request("GET", "/api/public");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ node: list.body.nodes[0] });
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=5",
    });
  });

  test("has the history that its owner sees", async () => {
    const answer = await get(`${node.id}/history?range=24h`);
    const own = await service.request("GET", `/api/nodes/${node.id}/history`, { token: owner });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(own.body);
    expect(answer.body.points.length).toBeGreaterThan(1);
    expect((await get(`${node.id}/history?range=7d`)).body.code).toBe("invalid_request");
  });

  test("is nothing when the list has no such node", async () => {
    const other = await createNode(service, owner, { node_name: "off" });
    const switchTo = (enabled: boolean) =>
      service.request("PUT", `/api/admin/nodes/${other.id}`, { token: admin, body: { enabled } });
    await switchTo(false);
    for (const id of [String(other.id), "999", "0", "x"]) {
      for (const path of [id, `${id}/history`]) {
        const answer = await get(path);
        expect(answer.status).toBe(404);
        expect(answer.body.code).toBe("not_found");
      }
    }
    await switchTo(true);
    expect((await get(String(other.id))).body.node.status).toBe("offline");
  });
});
