import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNode } from "../support/nodes.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { FaultStage } from "../support/fault-stage.ts";
import { FaultWatch } from "../support/fault-watch.ts";
import { newPostgresDatabase } from "../support/postgres.ts";

/** In what the service sends when it appends reports to the journal. */
const APPEND = "append-reports";

let proxy: FaultProxy;
let stage: FaultStage;

beforeEach(async () => {
  proxy = await FaultProxy.start(await newPostgresDatabase());
  stage = await FaultStage.set({ DATABASE_URL: proxy.url });
});
afterEach(async () => {
  await stage.clear();
  await proxy.stop();
});

test("the network to PostgreSQL falls silent and comes back", async () => {
  stage.beginLoad();
  await stage.untilReports(200);

  proxy.fallSilent();
  const logIn = stage.tryLogIn();
  expect(await stage.wrongReads()).toEqual([]);
  await stage.untilReports(503);
  expect(await stage.wrongReads()).toEqual([]);
  expect(await logIn).toBe(503);

  proxy.speak();
  await stage.untilReports(200);
  await stage.endLoad();
  expect(stage.wrongAnswers()).toEqual([]);
  expect(await stage.wrongBooks()).toEqual([]);
  expect(await stage.tryLogIn()).toBe(200);
});

test("the answer to a commit of reports is lost: they are counted exactly once", async () => {
  for (let round = 0; round < 5; round++) {
    stage.beginLoad();
    await stage.untilReports(200);
    await proxy.loseAnswerTo(APPEND);
    await stage.untilReports(200);
    await stage.endLoad();
  }
  expect(stage.wrongAnswers()).toEqual([]);
  expect(await stage.wrongBooks()).toEqual([]);
});

test("a report that is sent again while its first sending hangs is told to wait, too", async () => {
  const watch = new FaultWatch(() => stage.service.origin);
  const body = stage.reportBody("sent-twice", 3);
  proxy.fallSilent();
  const first = watch.request("POST", "/api/report", { body });
  await sleep(2_000);
  const again = watch.request("POST", "/api/report", { body });
  expect((await first).status).toBe(503);
  expect((await again).status).toBe(503);
  expect(watch.slowestMs).toBeLessThan(6_500);

  proxy.speak();
  await expect
    .poll(async () => (await watch.request("POST", "/api/report", { body })).status, {
      timeout: 15_000,
    })
    .toBe(200);
  const answer = await watch.request("POST", "/api/report", { body });
  expect(answer.body.used_traffic).toBe(3);
  watch.close();
});

test("the answer to a node's creation is lost: memory and storage agree afterwards", async () => {
  const session = await stage.logIn();
  const lost = proxy.loseAnswerTo("commit");
  const creation = createNode(stage.service, session, { node_name: "perhaps" });
  await expect(creation).rejects.toThrow("storage_unavailable");
  await lost;
  const mine = async () => {
    const { body } = await stage.service.request("GET", "/api/nodes/my", { token: session });
    return (body.nodes as { node_name: string }[]).map((node) => node.node_name);
  };
  await expect.poll(mine, { timeout: 10_000 }).toContain("perhaps");
  await expect(createNode(stage.service, session, { node_name: "perhaps" })).rejects.toThrow(
    "name_taken",
  );
});
