import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DESK, PHONE, type PageOptions } from "../support/browser.ts";
import { WebWorld } from "../support/web-world.ts";

/** Between them both widths, both schemes and both languages. */
const looks: readonly (readonly [string, PageOptions])[] = [
  ["desk, light, English", { width: DESK, scheme: "light", language: "en" }],
  ["phone, dark, Chinese", { width: PHONE, scheme: "dark", language: "zh-CN" }],
];

/** Some with an id of what `beforeAll` has made. */
const paths = [
  "/admin/stun",
  "/admin/stun/new",
  "/admin/stun/1",
  "/admin/stun/1/edit",
  "/admin/diagnosis",
  "/admin/callbacks/accounts",
  "/admin/callbacks/accounts/new",
  "/admin/callbacks/accounts/new?type=domain_account",
  "/admin/callbacks/accounts/new?type=registry_node",
  "/admin/callbacks/accounts/new?type=tencent_edgeone",
  "/admin/callbacks/accounts/1",
  "/admin/callbacks/tasks",
  "/admin/callbacks/tasks/new",
  "/admin/callbacks/tasks/1",
  "/admin/callbacks/runs",
  "/admin/callbacks/runs/1",
  "/admin/domains",
  "/admin/domains/new",
  "/admin/domains/1",
];

describe("each page of holes and callbacks", () => {
  let web: WebWorld;
  beforeAll(async () => {
    web = await WebWorld.start();
    const { world } = web;
    await world.openTask();
    await world.ask("POST", "/api/domains/accounts", {
      name: "dns",
      provider: "duckdns",
      config: { token: "secret-token" },
    });
    await world.move({ port: 6_000 });
  }, 120_000);
  afterAll(() => web.stop());

  test.concurrent.each(looks)(
    "can be used by everybody: %s",
    async (name, look) => {
      const tab = await web.open(look);
      const { page } = tab;
      const found: string[] = [];
      for (const path of paths) {
        await page.goto(path);
        await page.locator("h1").waitFor();
        await page.waitForFunction(() => !document.querySelector(".mantine-Skeleton-root"));
        for (const flaw of await tab.axe()) found.push(`${path}: ${flaw}`);
        if (await tab.overflows()) found.push(`${path} is wider than the window`);
        await tab.screenshot(`${name} ${path}`.replaceAll(/\W+/g, "-"));
      }
      expect(found).toEqual([]);
      expect(await tab.close()).toEqual([]);
    },
    60_000,
  );
});
