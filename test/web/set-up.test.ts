import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from "vitest";
import { openBrowser, WatchedPage, type PageOptions } from "../support/browser.ts";
import { expectGoodLooks, looks } from "../support/page-looks.ts";
import { SETUP_SECRET, type TestService } from "../support/service.ts";
import { ShownCommand } from "../support/shown-command.ts";
import { SmtpServer } from "../support/smtp.ts";
import { startWebService } from "../support/web-app.ts";

const ADMIN = "Boss@example.com";
const OWNER = "owner@example.com";
const PASSWORD = "correct horse battery";
const NODE = "first-node";
/** For a machine that is busy. */
const PATIENCE_MS = 15_000;
/** The pages ask again within this time. */
const RENEWED_MS = 16_000;

describe("the set-up of a fresh system", () => {
  let browser: Browser;
  let smtp: SmtpServer;
  let service: TestService;
  let agent: ShownCommand | undefined;
  beforeAll(async () => {
    smtp = await SmtpServer.start();
    const env = { SMTP_URL: smtp.url, MAIL_FROM: "waypost@example.org" };
    [browser, service] = await Promise.all([openBrowser(), startWebService({ env })]);
  }, 120_000);
  afterAll(async () => {
    await agent?.stop();
    await browser.close();
    await service.stop();
    await smtp.stop();
  });

  async function open(options: PageOptions = {}): Promise<{ tab: WatchedPage; page: Page }> {
    const tab = await WatchedPage.open(browser, service.origin, options);
    tab.page.setDefaultTimeout(PATIENCE_MS);
    return { tab, page: tab.page };
  }

  test.each(looks)("is where every door leads, in $language", async (look) => {
    const { language } = look;
    const { tab, page } = await open({ language });
    for (const door of ["/sign-in", "/"]) {
      await page.goto(door);
      await page.waitForURL("/set-up");
    }
    const name = language === "en" ? "Set up Waypost" : "初始化 Waypost";
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await expectGoodLooks(tab, look, "set-up");
    expect(await tab.close()).toEqual([]);
  });

  test("says in words what is wrong, and takes a guessed secret for none", async () => {
    const expected = [/\/api\/system\/initialize/, /status of 401/];
    const { tab, page } = await open({ expected });
    await page.goto("/set-up");
    const secret = page.getByLabel(/^Set-up secret/);
    const next = page.getByRole("button", { name: "Continue" });
    await next.click();
    await page.getByText("Enter the set-up secret").waitFor();
    expect(await secret.getAttribute("aria-invalid")).toBe("true");
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
    expect(await tab.close()).toEqual([]);
  });

  test("leads from the wizard to a node that others see and find", async () => {
    const admin = await open();
    await admin.page.clock.install();
    await initialize(admin.page);
    const nodes = admin.page.getByRole("link", { name: /^Nodes online/ });
    await nodes.getByText("None yet").waitFor();
    expect(await admin.tab.axe()).toEqual([]);
    await admin.tab.screenshot("checklist-fresh");
    const anybody = await open();
    await anybody.page.clock.install();
    await anybody.page.goto("/");
    await anybody.page.getByText("There are no nodes yet").waitFor();

    const owner = await open();
    await owner.page.clock.install();
    await signUp(owner.page);
    await owner.page.goto(/^http\S+token=\S+$/m.exec((await smtp.next()).text)?.[0] ?? "");
    await owner.page.getByRole("button", { name: "Confirm" }).click();
    await owner.page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await signIn(owner.page);
    const started = await ShownCommand.start(await createNode(owner.page));
    agent = started;
    onTestFailed(() => console.error(started.said));
    await expect.poll(() => started.said, { timeout: PATIENCE_MS }).toContain("takes the reports");
    await owner.page.clock.fastForward(RENEWED_MS);
    await owner.page.getByText("The first report has arrived").waitFor();

    // The others have not touched their pages since.
    await anybody.page.clock.fastForward(RENEWED_MS);
    const row = anybody.page.getByRole("row").filter({ hasText: NODE });
    await row.getByText("Online").waitFor();
    await anybody.page.getByRole("link", { name: "Find a node" }).click();
    await anybody.page.getByRole("button", { name: "Find", exact: true }).click();
    await anybody.page.getByText("1 node for you").waitFor();
    await anybody.page.getByText("tcp://203.0.113.7:11010").waitFor();
    await admin.page.clock.fastForward(RENEWED_MS);
    await nodes.getByText("1 of 1").waitFor();
    for (const { tab } of [admin, anybody, owner]) expect(await tab.close()).toEqual([]);
  }, 60_000);

  test("is over once and for all", async () => {
    const { tab, page } = await open();
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: "Status of the nodes" }).waitFor();
    await page.goto("/set-up");
    await page.getByText("This service is set up already").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("that somebody else has finished meanwhile is said", async () => {
    const expected = [/\/api\/system\/initialize/, /status of 400/];
    const { tab, page } = await open({ expected });
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

/** Through the wizard. */
async function initialize(page: Page): Promise<void> {
  await page.goto("/set-up");
  await page.getByLabel(/^Set-up secret/).fill(SETUP_SECRET);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel(/^E-mail address/).fill(ADMIN);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole("button", { name: "Create the administrator" }).click();
  await page.waitForURL("/admin");
  await page.getByRole("link", { name: "Add a node" }).waitFor();
}

async function signUp(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("link", { name: /account/ }).click();
  await page.getByLabel(/^E-mail address/).fill(OWNER);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText(`We have sent a link to ${OWNER}`).waitFor();
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel(/^E-mail address/).fill(OWNER);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
}

/** @returns the command that lets it report */
async function createNode(page: Page): Promise<string> {
  await page.getByRole("link", { name: "My nodes" }).click();
  await page.getByRole("link", { name: "Add a node" }).click();
  await page.getByLabel(/^Name/).fill(NODE);
  await page.getByLabel(/^Address/).fill("203.0.113.7");
  await page.getByRole("button", { name: "Add node" }).click();
  await page.getByText("Waiting for the first report").waitFor();
  const token = await page.getByRole("group", { name: "Report token" }).locator("code").innerText();
  const command = page.getByRole("group", { name: "Command for the agent" }).locator("pre");
  expect(await command.innerText()).toContain(token);
  return command.innerText();
}
