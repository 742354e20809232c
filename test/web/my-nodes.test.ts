import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../src/server/lib/clock.ts";
import { join, setUp } from "../support/accounts.ts";
import { openBrowser, WatchedPage, type PageOptions } from "../support/browser.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { expectGoodLooks, looks } from "../support/page-looks.ts";
import type { TestService } from "../support/service.ts";
import { startWebService } from "../support/web-app.ts";

const OWNER = "owner@example.com";
/** What a shell would like to read otherwise. */
const NAME = `Bob's "relay" $HOME`;
const run = promisify(execFile);

describe("my nodes", () => {
  let browser: Browser;
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    [browser, service] = await Promise.all([
      openBrowser(),
      startWebService({ env: { CHECK_INTERVAL_SECONDS: "3600", CHECK_POLICY: "any" } }),
    ]);
    await setUp(service);
    token = await join(service, OWNER);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  async function open(options: PageOptions = {}): Promise<WatchedPage> {
    const session = { token, email: OWNER };
    const tab = await WatchedPage.open(browser, service.origin, { session, ...options });
    tab.page.setDefaultTimeout(5000);
    return tab;
  }

  test("an owner adds a node, runs the command, and sees its report arrive", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/my/nodes");
    await page.getByText("You have no node yet").waitFor();
    await page.getByRole("link", { name: "Add a node" }).click();

    await page.getByLabel(/^Name/).fill(NAME);
    await page.getByLabel(/^Address/).fill("x");
    await page.getByLabel(/^Address/).fill("");
    await page.evaluate(() => navigator.clipboard.writeText("udp://[2001:db8::1]:4242"));
    await page.getByLabel(/^Address/).press("Control+v");
    expect(await page.getByLabel("Transport").inputValue()).toBe("UDP");
    expect(await page.getByLabel(/^Port/).inputValue()).toBe("4242");
    await page.getByLabel(/^Bandwidth of the line/).fill("200");
    await page.getByLabel(/^Traffic quota/).fill("1000");
    await page.getByRole("button", { name: "Add node" }).click();

    await page.getByRole("heading", { level: 1, name: `${NAME} is added` }).waitFor();
    await page.getByText("Copy this now: it is shown only once").waitFor();
    expect(await tab.axe()).toEqual([]);
    await tab.screenshot("my-nodes-added");
    expect(await commandOf(page, "Command for the agent")).toContain("/agent.mjs");
    await page.getByRole("tab", { name: "Service (systemd)" }).click();
    expect(await commandOf(page, "Script for systemd")).toContain("LoadCredential=report-token");
    await page.getByRole("tab", { name: "One report (curl)" }).click();
    const command = await commandOf(page, "Command for curl");
    await page.getByText("Waiting for the first report").waitFor();
    const { stdout } = await run("/bin/sh", ["-c", command]);
    expect(JSON.parse(stdout)).toMatchObject({ max_traffic: 1000 });
    await page.getByText("The first report has arrived").waitFor();

    await page.getByRole("link", { name: "To the node" }).click();
    await page.getByRole("heading", { level: 1, name: NAME }).waitFor();
    await page.getByText("udp://[2001:db8::1]:4242").waitFor();
    await page.getByText("of 200 Mbit/s").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("a form says what is wrong where it is, also what only the service knows", async () => {
    await createNode(service, token, { node_name: "taken" });
    const tab = await open({ expected: [/400/] });
    const { page } = tab;
    await page.goto("/my/nodes/new");
    await page.getByRole("button", { name: "Add node" }).click();
    await page.getByText("This is needed").first().waitFor();
    const name = page.getByLabel(/^Name/);
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByLabel(/^Address/).fill("203.0.113.7");
    await page.getByText("This is needed").nth(1).waitFor({ state: "detached" });
    await page.getByLabel(/^Address/).fill("http://a");
    // The words that appear when the field is left do not take the click.
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Stay here" }).click();
    await page.getByText(/^Must be an IPv4 address/).waitFor();
    await page.getByLabel(/^Address/).fill("203.0.113.7");
    await page.getByText(/^Must be an IPv4 address/).waitFor({ state: "detached" });
    await page.getByLabel(/^Port/).fill("70000");
    await page.getByLabel(/^Period/).fill("400");
    await page.getByLabel(/^Period/).blur();
    await page.getByText("Must be a whole number from 1 to 65535").waitFor();
    await page.getByText("Must be a whole number from 1 to 366").waitFor();
    expect(await tab.axe()).toEqual([]);
    await page.getByLabel(/^Port/).fill("11010");
    await page.getByLabel(/^Period/).fill("30");
    await name.fill("taken");
    await page.getByRole("button", { name: "Add node" }).click();
    await page.getByText("Is the name of another node of yours").waitFor();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    await page.getByRole("button", { name: "Leave" }).click();
    await page.waitForURL("/my/nodes");
    expect(await tab.close()).toEqual([]);
  });

  test("what is not saved is asked about, whichever way one leaves and whatever the browser", async () => {
    const tab = await open();
    const { page } = tab;
    // As in browsers that tell nothing of a navigation before it is done.
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, "navigation", { value: null }),
    );
    await page.goto("/");
    await page.getByRole("link", { name: "My nodes" }).click();
    await page.getByRole("link", { name: "Add a node" }).first().click();
    const name = page.getByLabel(/^Name/);
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    const answer = async (word: string): Promise<void> => {
      await dialog.getByRole("button", { name: word }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await name.fill("half-typed");
    for (const leave of [
      () => page.goBack(),
      () => page.evaluate(() => history.go(-2)),
      () => page.getByRole("link", { name: "Status" }).click(),
    ]) {
      await leave();
      await dialog.waitFor();
      await answer("Stay here");
      await expect.poll(() => new URL(page.url()).pathname).toBe("/my/nodes/new");
      expect(await name.inputValue()).toBe("half-typed");
    }
    await page.goBack();
    await answer("Leave");
    await page.waitForURL("/my/nodes");
    await page.getByRole("heading", { level: 1, name: "My nodes" }).waitFor();
    await page.goForward();
    await page.waitForURL("/my/nodes/new");
    await name.fill("typed again");
    await page.evaluate(() => history.go(-2));
    await answer("Leave");
    await page.waitForURL("/");
    await page.evaluate(() => history.go(2));
    await page.waitForURL("/my/nodes/new");
    expect(await name.inputValue()).toBe("");
    await page.goBack();
    await page.waitForURL("/my/nodes");
    expect(await dialog.count()).toBe(0);

    await page.goForward();
    await name.fill("and again");
    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();
    expect(await name.inputValue()).toBe("and again");
    expect(await tab.close()).toEqual([]);
  });

  test("connections are added, moved and removed with the keyboard", async () => {
    const { id } = await createNode(service, token, { node_name: "many ways" });
    const tab = await open();
    const { page } = tab;
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    await page.goto(`/my/nodes/${id}/edit`);
    await page.getByRole("button", { name: "Add a connection" }).press("Enter");
    await page.keyboard.type("node.example.com");
    await page.getByRole("button", { name: "Move connection 2 up" }).press("Enter");
    await page.waitForFunction(
      () => document.activeElement?.getAttribute("aria-label") === "Move connection 1 down",
    );
    await page.getByRole("button", { name: "Add a connection" }).press("Enter");
    await page.getByRole("button", { name: "Remove connection 3" }).press("Enter");
    await page.getByLabel("Remove connection 3").waitFor({ state: "detached" });
    await page.waitForFunction(
      () => document.activeElement?.getAttribute("data-path") === "connections.1.ip",
    );
    expect(await focused()).toBeNull();
    await page.getByLabel(/^Valid until/).fill("2020-01-01");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.waitForURL(`/my/nodes/${id}`);
    await page.getByText("many ways is saved").waitFor();
    await page.getByText("This node has expired").waitFor();
    const { body } = await service.request("GET", `/api/nodes/${id}`, { token });
    expect(body.node.connections.map(({ ip }: { ip: string }) => ip)).toEqual([
      "node.example.com",
      "203.0.113.7",
    ]);
    expect(body.node.valid_until).toBe("2020-01-01");
    expect(await tab.close()).toEqual([]);
  });

  test("a new token is made after a question; a node is deleted by its name", async () => {
    const node = await createNode(service, token, { node_name: "going" });
    await sendReport(service, OWNER, node, { version: "1.2.3" });
    const tab = await open();
    const { page } = tab;
    await page.goto(`/my/nodes/${node.id}`);
    await page.getByText("1.2.3").waitFor();
    await page.getByRole("button", { name: "New report token" }).click();
    const question = page.getByRole("dialog");
    await question.getByText(/works for 10 more minutes/).waitFor();
    expect(await tab.axe()).toEqual([]);
    await question.getByRole("button", { name: "Make a new token" }).click();
    const shown = page.getByRole("group", { name: "Report token" }).locator("code");
    const fresh = { ...node, token: await shown.innerText() };
    expect(fresh.token).not.toBe(node.token);
    expect((await sendReport(service, OWNER, fresh)).status).toBe(200);
    expect((await sendReport(service, OWNER, node)).status).toBe(200);

    const opener = page.getByRole("button", { name: "Delete node" });
    await opener.click();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: "Delete node" });
    await dialog.getByLabel("To confirm, type going").fill("goin");
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => opener.evaluate((button) => button === document.activeElement))
      .toBe(true);
    await opener.click();
    await dialog.getByLabel("To confirm, type going").fill("going");
    await confirm.click();
    await page.waitForURL("/my/nodes");
    await page.getByText("going is deleted").waitFor();
    expect((await sendReport(service, OWNER, fresh)).status).toBe(404);
    expect(await tab.close()).toEqual([]);
  });

  test("the token of one node is not shown with another to which one goes back", async () => {
    const { id } = await createNode(service, token, { node_name: "before" });
    await createNode(service, token, { node_name: "after it" });
    const tab = await open();
    const { page } = tab;
    await page.goto(`/my/nodes/${id}`);
    await page.getByRole("heading", { level: 1, name: "before" }).waitFor();
    await page.getByRole("banner").getByRole("link", { name: "My nodes" }).click();
    await page.getByRole("link", { name: "after it" }).click();
    await page.getByRole("button", { name: "New report token" }).click();
    await page.getByRole("button", { name: "Make a new token" }).click();
    await page.getByRole("group", { name: "Report token" }).waitFor();
    await page.evaluate(() => history.go(-2));
    await page.getByRole("heading", { level: 1, name: "before" }).waitFor();
    expect(await page.getByRole("group", { name: "Report token" }).count()).toBe(0);
    expect(await tab.close()).toEqual([]);
  });

  test.each(looks)("are shown in $language", async (look) => {
    const { language } = look;
    const [list, add] = { en: ["My nodes", "Add a node"], "zh-CN": ["我的节点", "添加节点"] }[
      language
    ] as [string, string];
    const soon = new Date(service.clock.now() + 5 * DAY_MS).toISOString().slice(0, 10);
    const name = `ends-soon-${language}`;
    const fields = {
      node_name: name,
      valid_until: soon,
      max_traffic: 10,
      region_detail: "Helsinki",
    };
    const node = await createNode(service, token, fields);
    await sendReport(service, OWNER, node, { reported_traffic: 9.5 });
    const tab = await open({ language });
    for (const [path, title, picture] of [
      ["/my/nodes", list, "list"],
      ["/my/nodes/new", add, "new"],
      [`/my/nodes/${node.id}`, name, "node"],
    ] as const) {
      await tab.page.goto(path);
      await tab.page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      expect(await tab.page.title()).toBe(`${title} · Waypost`);
      await expectGoodLooks(tab, look, `my-nodes-${picture}`);
    }
    expect(await tab.close()).toEqual([]);
  });

  test("somebody else's node is refused in words", async () => {
    const other = await join(service, "other@example.com");
    const { id } = await createNode(service, other, { node_name: "theirs" });
    const tab = await open({ expected: [/403/] });
    await tab.page.goto(`/my/nodes/${id}`);
    await tab.page.getByText("The node belongs to somebody else").waitFor();
    await tab.page.getByRole("link", { name: "Back to my nodes" }).waitFor();
    expect(await tab.close()).toEqual([]);
  });
});

/** The text of the command in the tab that is open. */
function commandOf(page: Page, label: string): Promise<string> {
  return page.getByRole("group", { name: label }).locator("pre").innerText();
}
