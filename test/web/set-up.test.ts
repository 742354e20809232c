import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser, WatchedPage } from "../support/browser.ts";
import { expectGoodLooks, looks } from "../support/page-looks.ts";
import { SETUP_SECRET, type TestService } from "../support/service.ts";
import { startWebService } from "../support/web-app.ts";

const ADMIN = "Boss@example.com";
const PASSWORD = "correct horse battery";

describe("the set-up of a fresh system", () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), startWebService()]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  test.each(looks)("is where every door leads, in $language", async (look) => {
    const { language } = look;
    const tab = await WatchedPage.open(browser, service.origin, { language });
    for (const door of ["/sign-in", "/"]) {
      await tab.page.goto(door);
      await tab.page.waitForURL("/set-up");
    }
    const name = language === "en" ? "Set up Waypost" : "初始化 Waypost";
    await tab.page.getByRole("heading", { level: 1, name }).waitFor();
    await expectGoodLooks(tab, look, "set-up");
    expect(await tab.close()).toEqual([]);
  });

  test("says in words what is wrong, then makes the administrator and signs in", async () => {
    const expected = [/\/api\/system\/initialize/, /status of 401/];
    const tab = await WatchedPage.open(browser, service.origin, { expected });
    const { page } = tab;
    page.setDefaultTimeout(5000);
    await page.goto("/set-up");
    const secret = page.getByLabel(/^Set-up secret/);
    const next = page.getByRole("button", { name: "Continue" });
    await next.click();
    await page.getByText("Enter the set-up secret").waitFor();
    await secret.fill("not the secret of this service, by no means");
    await next.click();

    const email = page.getByLabel(/^E-mail address/);
    const password = page.getByLabel(/^Password/);
    const create = page.getByRole("button", { name: "Create the administrator" });
    await email.fill("nobody");
    await password.fill("short");
    await create.click();
    await page.getByText("An e-mail address looks like name@example.com").waitFor();
    await page.getByText("At least 8 characters").waitFor();
    await expect.poll(() => email.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await tab.axe()).toEqual([]);
    await email.fill(ADMIN);
    await password.fill("12345678");
    await page.getByText("Easy to guess").waitFor();
    await password.fill(PASSWORD);
    await page.getByText("Hard to guess").waitFor();
    await tab.screenshot("set-up-administrator");

    await create.click();
    await page.getByText(/is not the set-up secret/).waitFor();
    await secret.fill(`  ${SETUP_SECRET} `);
    await next.click();
    expect(await email.inputValue()).toBe(ADMIN);
    await create.click();
    await page.waitForURL("/admin");
    await page.getByRole("heading", { level: 1, name: "Administration" }).waitFor();
    const nodeStep = page.getByRole("listitem").filter({ hasText: "Add a node" }).last();
    await page.getByRole("link", { name: "Add a node" }).waitFor();
    expect(await nodeStep.count()).toBe(1);
    expect(await tab.axe()).toEqual([]);
    await tab.screenshot("checklist-fresh");

    await page.goto("/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    await page.goto("/set-up");
    await page.getByText("This service is set up already").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("that somebody else has finished meanwhile is said", async () => {
    const expected = [/\/api\/system\/initialize/, /status of 400/];
    const tab = await WatchedPage.open(browser, service.origin, { expected });
    const { page } = tab;
    page.setDefaultTimeout(5000);
    await page.route("**/api/system/info", (route) =>
      route.fulfill({ json: { initialized: false, version: "0", smtp: false } }),
    );
    await page.goto("/set-up");
    await page.getByLabel(/^Set-up secret/).fill(SETUP_SECRET);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel(/^E-mail address/).fill("late@example.com");
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.unroute("**/api/system/info");
    await page.getByRole("button", { name: "Create the administrator" }).click();
    await page.getByText("This service is set up already").waitFor();
    await page.getByRole("link", { name: "Sign in" }).last().waitFor();
    expect(await tab.close()).toEqual([]);
  });
});
