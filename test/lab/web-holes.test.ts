import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ADMIN } from "../support/accounts.ts";
import { openBrowser, WatchedPage } from "../support/browser.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import { ProviderServer } from "../support/provider-server.ts";
import type { RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";

/** Of the webhook. */
const BODY = '{"at": "{{ public_address }}"}';
/** Two servers must agree, and a target must answer: seconds, on a busy machine more. */
const LIVE_MS = 20_000;

describeInLaboratory("The pages of holes behind a NAT", {}, (lab) => {
  const cleanUp: (() => Promise<void>)[] = [];
  let browser: Browser;
  let service: ServiceAtHome;
  let target: ProviderServer;

  beforeAll(async () => {
    target = await ProviderServer.listen(() => ({ status: 202, body: "noted, thank you" }));
    cleanUp.push(() => target.close());
    browser = await openBrowser();
    cleanUp.push(() => browser.close());
    const way = await lab().openWayOut(target.port);
    cleanUp.push(() => way.close());
    service = await ServiceAtHome.startWithWebApp(lab());
    cleanUp.push(() => service.close());
  }, 120_000);
  afterAll(async () => {
    for (const close of cleanUp.toReversed()) await close();
  });

  it("show a hole open, its address move, and what that starts, all without a reload", async () => {
    const session = { token: service.token, email: ADMIN, isAdmin: true };
    const tab = await WatchedPage.open(browser, service.origin, { session });
    const { page } = tab;
    page.setDefaultTimeout(LIVE_MS);
    await page.goto("/admin/stun");
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));

    const rule = await createRule(page);
    await page.getByText("The hole is open and its public address is confirmed").waitFor();
    const before = await publicAddress(rule);
    await page.getByText(before).first().waitFor();
    await createAccount(page);
    await createTask(page);
    await page.getByRole("link", { name: "STUN rules" }).click();
    await page.getByRole("link", { name: "nas", exact: true }).click();
    await page.getByText("Never ran").waitFor();

    await lab().nat.switchAddressAndPorts();
    await page.getByText("Address and port changed").waitFor();
    const after = await publicAddress(rule);
    expect(after).not.toBe(before);
    await page.getByRole("region", { name: "Right now" }).getByText(after).waitFor();
    expect(await tab.axe()).toEqual([]);
    await tab.screenshot("laboratory-rule");
    await page.getByRole("link", { name: /^Succeeded/ }).click();
    const outcome = page.getByRole("region", { name: "Outcome" });
    await outcome.getByText("The target has the address.").waitFor();
    await outcome.getByText("202", { exact: true }).waitFor();
    const answer = outcome.getByRole("group", { name: "Response body" });
    await answer.getByText("noted, thank you").waitFor();
    expect(target.received.at(-1)?.body.toString()).toBe(`{"at": "${after}"}`);
    await tab.screenshot("laboratory-run");
    expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
    expect(await tab.close()).toEqual([]);
  }, 60_000);

  /** By the form. */
  async function createRule(page: Page): Promise<RuleAtHome> {
    await page.getByRole("link", { name: "New rule" }).first().click();
    await page.getByLabel(/^Name/).fill("nas");
    await page.locator("summary", { hasText: "Advanced" }).click();
    await page.getByLabel(/^Probe interval/).fill("1");
    await page.getByLabel(/^Settle time/).fill("0");
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByRole("heading", { level: 1, name: "nas" }).waitFor();
    return service.findRule(Number(/\d+$/.exec(page.url())?.[0]));
  }

  async function createAccount(page: Page): Promise<void> {
    await page.getByRole("link", { name: "Accounts", exact: true }).click();
    await page.getByRole("link", { name: "New account" }).first().click();
    await page.getByRole("link", { name: /^Webhook/ }).click();
    await page.getByLabel(/^Name/).fill("hook");
    await page.getByLabel(/^URL/).fill(`${target.url}/hook`);
    await page.getByLabel(/^Body template/).fill(BODY);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("It works").waitFor();
  }
});

async function createTask(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await page.getByRole("link", { name: "New task" }).first().click();
  await page.getByLabel(/^Name/).fill("tell");
  await page.getByLabel(/^Linked STUN rule/).selectOption("nas");
  await page.getByLabel(/^Callback account/).selectOption("hook");
  await page.getByRole("button", { name: "Create task" }).click();
  await page.getByRole("heading", { level: 1, name: "tell" }).waitFor();
}

/** Of the hole, as the NAT has it, not as the service believes. */
async function publicAddress(rule: RuleAtHome): Promise<string> {
  const [mapping] = await rule.mappings();
  return mapping ? `${mapping.address}:${mapping.port}` : "none";
}
