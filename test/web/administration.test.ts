import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, join, logIn, register, setUp, tryLogIn } from "../support/accounts.ts";
import { openBrowser, WatchedPage, type PageOptions } from "../support/browser.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { expectGoodLooks, looks } from "../support/page-looks.ts";
import type { TestService } from "../support/service.ts";
import { startWebService } from "../support/web-app.ts";

const OWNER = "owner@example.com";

describe("the pages of administrators", () => {
  let browser: Browser;
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    [browser, service] = await Promise.all([
      openBrowser(),
      startWebService({ env: { PUBLIC_URL: "https://nodes.example.com" } }),
    ]);
    token = await setUp(service);
    const owner = await join(service, OWNER);
    const node = await createNode(service, owner, {
      node_name: "relay-hel",
      region_detail: "Helsinki",
    });
    await sendReport(service, OWNER, node, { current_bandwidth: 12 });
    await createNode(service, owner, { node_name: "relay-fra" });
    await register(service, "new@example.com");
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  async function open(options: PageOptions = {}): Promise<WatchedPage> {
    const session = { token, email: ADMIN, isAdmin: true };
    const tab = await WatchedPage.open(browser, service.origin, { session, ...options });
    tab.page.setDefaultTimeout(5000);
    return tab;
  }

  /** Of the nodes that everybody sees. */
  const publicNames = async () =>
    (await service.request("GET", "/api/public")).body.nodes.map(
      ({ node_name: name }: { node_name: string }) => name,
    );

  test("accounts are found, promoted, disabled and given a link, each after a question", async () => {
    const tab = await open({ expected: [/409/] });
    const { page } = tab;
    await page.goto("/admin/users");
    await page.getByRole("rowheader", { name: "new@example.com" }).waitFor();
    await page.getByLabel("Search by address").fill("OWNER");
    await page.getByRole("rowheader", { name: "new@example.com" }).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?search=OWNER");
    const actions = page.getByRole("button", { name: `Actions for ${OWNER}` });
    const dialog = page.getByRole("dialog");
    const choose = async (entry: string, action: string): Promise<void> => {
      await actions.click();
      await page.getByRole("menuitem", { name: entry, exact: true }).click();
      await dialog.getByRole("button", { name: action, exact: true }).click();
    };

    await choose("Make administrator", "Make administrator");
    await page.getByText(`${OWNER} is an administrator now`).waitFor();
    await page.getByRole("table").getByText("Administrator", { exact: true }).waitFor();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => actions.evaluate((button) => button === document.activeElement))
      .toBe(true);
    await choose("Take administration away", "Take it away");
    await page.getByText(`${OWNER} is no administrator any more`).waitFor();
    await choose("Disable", "Disable");
    await page.getByRole("table").getByText("Disabled", { exact: true }).waitFor();
    expect((await tryLogIn(service, OWNER)).status).toBe(403);
    await choose("Enable", "Enable");
    await page.getByText(`${OWNER} is enabled`).waitFor();

    await choose("Link for a new password", "Make the link");
    const shown = dialog.getByRole("group", { name: "Link for a new password" });
    const link = new URL(await shown.locator("code").innerText());
    expect([link.origin, link.pathname]).toEqual([service.origin, "/reset-password"]);
    expect(await tab.axe()).toEqual([]);
    await tab.screenshot("users-reset-link");
    const body = { token: link.searchParams.get("token"), password: "quite another one" };
    const reset = await service.request("POST", "/api/auth/reset-password", { body });
    expect(reset.status).toBe(200);
    await logIn(service, OWNER, "quite another one");
    await dialog.getByRole("button", { name: "Close" }).last().click();

    await page.getByLabel("Search by address").fill(ADMIN);
    await page.getByText("(you)").waitFor();
    await page.getByRole("button", { name: `Actions for ${ADMIN}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByLabel(`To confirm, type ${ADMIN}`).fill(ADMIN);
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await dialog.getByText(/This is the last administrator/).waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("an account is deleted by its address, and what goes with it is said", async () => {
    const leaver = await join(service, "leaver@example.com");
    await createNode(service, leaver, { node_name: "gone-soon" });
    const tab = await open();
    const { page } = tab;
    await page.goto("/admin/users?search=leaver");
    await page.getByRole("button", { name: "Actions for leaver@example.com" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/its 1 node and its history/).waitFor();
    await dialog.getByLabel(/^To confirm/).fill("leaver@example.com");
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await page.getByText("leaver@example.com is deleted").waitFor();
    await page.getByText("There is no such account").waitFor();
    expect((await tryLogIn(service, "leaver@example.com")).status).toBe(401);
    expect(await tab.close()).toEqual([]);
  });

  test("a node is found by where it is, switched off and on again", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/admin/nodes");
    await page.getByRole("rowheader", { name: /relay-fra/ }).waitFor();
    await page.getByLabel("Name, owner, place or tag").fill("helsinki");
    await page.getByRole("rowheader", { name: /relay-fra/ }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Switch off: relay-hel" }).click();
    const dialog = page.getByRole("dialog", { name: "Switch relay-hel off?" });
    await dialog.getByRole("button", { name: "Switch off" }).click();
    await page.getByText("relay-hel is switched off").waitFor();
    expect(await publicNames()).toEqual(["relay-fra"]);
    await page.getByLabel("Switch", { exact: true }).selectOption("Switched on");
    await page.getByText("No node fits this filter").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("rowheader", { name: /relay-fra/ }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    expect(await page.getByLabel("Name, owner, place or tag").inputValue()).toBe("");
    await page.getByRole("button", { name: "Switch on: relay-hel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Switch on" }).click();
    await page.getByText("relay-hel is switched on").waitFor();
    expect(await publicNames()).toEqual(["relay-hel", "relay-fra"]);
    expect(await tab.close()).toEqual([]);
  });

  test("the audit log is read by what, by whom and by subject, page after page", async () => {
    const owner = await join(service, "busy@example.com");
    const { id } = await createNode(service, owner, { node_name: "busy", tags: "a" });
    for (let n = 0; n < 55; n++) {
      const body = { tags: `tag-${n}` };
      await service.request("PUT", `/api/nodes/${id}`, { token: owner, body });
    }
    const tab = await open();
    const { page } = tab;
    const rows = page.getByRole("table").getByRole("rowheader");
    await page.goto("/admin/audit");
    // The words of a search are asked for once they have stood for a moment.
    const filtered = page.waitForResponse(/action=node&actor=BUSY/);
    await page.getByLabel("Who").fill("BUSY@");
    await page.getByLabel("What").selectOption("Nodes");
    await filtered;
    await page.getByText("Tags: tag-53 → tag-54").waitFor();
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count()).toBe(56);
    await page.getByText("Added a node").waitFor();
    await page
      .getByRole("button", { name: `node:${id}` })
      .first()
      .click();
    await page.waitForURL(`/admin/audit?subject=node%3A${id}`);
    await page.getByLabel("Subject").fill("node:999");
    await page.getByText("Nothing of this kind was done").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("settings say what holds and where it comes from, and no secret", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/admin/settings");
    const row = (name: string) =>
      page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
    await row("WAYPOST_PUBLIC_URL").getByText("https://nodes.example.com").waitFor();
    await row("WAYPOST_JWT_SECRET").getByText("Set; it is a secret and not shown").waitFor();
    await row("WAYPOST_SECRET_KEY").getByText("Generated", { exact: true }).waitFor();
    await row("WAYPOST_MAIL_FROM").getByText("Default", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(service.config.jwtSecret);
    await row("WAYPOST_PUBLIC_URL")
      .getByRole("button", { name: "Copy: WAYPOST_PUBLIC_URL" })
      .click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("WAYPOST_PUBLIC_URL");
    await page.getByLabel("Search by name, meaning or value").fill("smtp");
    await row("WAYPOST_PUBLIC_URL").waitFor({ state: "detached" });
    await row("WAYPOST_SMTP_URL").getByText("Not set").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("the checklist ticks what is true and leads to the rest", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/admin");
    const step = (title: string) => page.getByRole("listitem").filter({ hasText: title });
    await step("Add a node").getByText("(done)").waitFor();
    await step("Receive the first report").getByText("(done)").waitFor();
    await step("Serve it by HTTPS").getByText("(done)").waitFor();
    await step("Open a hole by a STUN rule").getByText("(open)").waitFor();
    await page.getByText("3 of 8 done").waitFor();
    await page.getByLabel(/^I have arranged this/).check();
    await page.getByText("4 of 8 done").waitFor();
    await page.reload();
    await step("Arrange a backup").getByText("(done)").waitFor();
    await page.getByRole("link", { name: "To the setting" }).click();
    await page.waitForURL("/admin/settings?search=SMTP_URL");
    await page.getByText("WAYPOST_SMTP_URL", { exact: true }).waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test.each(looks)("are shown in $language", async (look) => {
    const titles = {
      en: ["Overview", "Users", "Nodes", "Audit log", "Settings"],
      "zh-CN": ["概览", "用户", "节点", "审计日志", "设置"],
    }[look.language];
    const tab = await open({ language: look.language });
    const paths = ["/admin", "/admin/users", "/admin/nodes", "/admin/audit", "/admin/settings"];
    for (const [index, path] of paths.entries()) {
      await tab.page.goto(path);
      const name = titles[index] as string;
      await tab.page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
      // The door to all of them, which on a phone is behind a button.
      const door = tab.page.locator("header a[href='/admin']").first();
      expect(await door.getAttribute("aria-current")).toBe(path === "/admin" ? "page" : "true");
      await expectGoodLooks(tab, look, path.slice(1).replace("/", "-"));
    }
    expect(await tab.close()).toEqual([]);
  });

  test("are not for others", async () => {
    const session = { token: await join(service, "plain@example.com"), email: "plain@example.com" };
    const tab = await open({ session });
    await tab.page.goto("/admin/users");
    await tab.page.getByText("Your account may not see this page").waitFor();
    expect(await tab.close()).toEqual([]);
  });
});
