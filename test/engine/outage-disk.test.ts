import { afterEach, beforeEach, expect, test } from "vitest";
import { FaultDisk } from "../support/fault-disk.ts";
import { FaultStage } from "../support/fault-stage.ts";
import { FaultWatch } from "../support/fault-watch.ts";
import { nodeBody } from "../support/nodes.ts";

let disk: FaultDisk;
let stage: FaultStage;

beforeEach(async () => {
  disk = await FaultDisk.make();
  stage = await FaultStage.set({ DATA_DIR: disk.data }, disk.environment);
});
afterEach(async () => {
  await stage.clear();
  await disk.remove();
});

test.for(["full", "read-only"] as const)(
  "while the disk is %s what must be stored is told to wait, and the rest goes on",
  async (fault) => {
    const session = await stage.logIn();
    const watch = new FaultWatch(() => stage.service.origin);
    const create = () =>
      watch.request("POST", "/api/nodes/", {
        token: session,
        body: nodeBody({ node_name: "wanted" }),
      });
    stage.beginLoad();
    await stage.untilReports(200);

    await disk.fail(fault);
    await stage.untilReports(503);
    expect(await stage.wrongReads()).toEqual([]);
    expect((await watch.request("GET", "/api/nodes/my", { token: session })).status).toBe(200);
    expect((await watch.request("GET", "/readyz")).status).toBe(503);
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await create()).body).toMatchObject({ code: "storage_unavailable" });
    }
    const registration = { email: "new@example.com", password: "a good password" };
    const refused = await watch.request("POST", "/api/auth/register", { body: registration });
    expect(refused.body).toMatchObject({ code: "storage_unavailable" });
    expect(watch.withoutRetryAfter).toBe(0);

    await disk.recover();
    await stage.untilReports(200);
    expect((await create()).status).toBe(201);
    expect((await watch.request("GET", "/readyz")).status).toBe(200);
    await stage.endLoad();
    watch.close();
    expect(stage.wrongAnswers()).toEqual([]);
    expect(await stage.wrongBooks()).toEqual([]);
  },
);

test("a failed flush ends the process, because nobody knows what the disk holds then", async () => {
  stage.beginLoad();
  await stage.untilReports(200);
  await disk.fail("broken");
  expect(await stage.service.ended()).toBe(1);
  await stage.endLoad();
  await disk.recover();
  await stage.start();
  expect(await stage.wrongBooks()).toEqual([]);
  expect(stage.storm.surprises).toEqual([]);
});
