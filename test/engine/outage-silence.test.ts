import { afterEach, beforeEach, expect, test } from "vitest";
import { FaultProxy } from "../support/fault-proxy.ts";
import { FaultStage } from "../support/fault-stage.ts";
import { newPostgresDatabase } from "../support/postgres.ts";

/** In what the service sends when it appends reports to the journal. */
const APPEND = "append-reports";
/** In what it sends in the middle of a fold, when it holds locks. */
const FOLD = "fold-live";

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

test("the network forgets the connection that holds the fold's locks: reports find their way again", async () => {
  stage.beginLoad();
  await proxy.forgetConnectionAt(FOLD);
  await stage.untilReports(200);
  // Whether these are stored can be told only once the locks are gone.
  await proxy.loseAnswerTo(APPEND);
  await stage.untilReports(503);
  await stage.untilReports(200);
  await stage.endLoad();
  expect(stage.wrongAnswers()).toEqual([]);
  expect(await stage.wrongBooks()).toEqual([]);
}, 60_000);

test("a connection that the network has forgotten is not used twice", async () => {
  const forgotten = proxy.forgetConnectionAt('from "users"');
  const logIn = stage.tryLogIn();
  await forgotten;
  expect(await logIn).toBe(503);
  const startedAt = performance.now();
  expect(await stage.tryLogIn()).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
