import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebWorld } from "../support/web-world.ts";

describe("the pages of callbacks", () => {
  let web: WebWorld;
  beforeAll(async () => {
    web = await WebWorld.start();
  }, 120_000);
  afterAll(() => web.stop());

  test("an address moves, a webhook hears of it, and the run appears without a reload", async () => {
    const { world } = web;
    const tab = await web.open({ expected: [/400/] });
    const { page } = tab;
    await page.goto("/admin/callbacks/tasks");
    await page.getByRole("link", { name: "Create a STUN rule first" }).waitFor();
    await world.openRule({ name: "nas" });

    await page.goto("/admin/callbacks/accounts");
    await page.getByText("No account yet").waitFor();
    await page.getByRole("link", { name: "New account" }).first().click();
    await page.getByRole("link", { name: /^Webhook/ }).click();
    await page.getByLabel(/^Name/).fill("hook");
    await page.getByLabel(/^URL/).fill("nowhere");
    await page.getByText("An address that begins with http:// or https://").waitFor({
      state: "detached",
    });
    const body = page.getByLabel(/^Body template/);
    await body.fill('{"at":\n "{{ public_adress }}"}');
    await page.getByText("An address that begins with http:// or https://").waitFor();
    await page.getByText(/^Line 2, column 3: .*did you mean public_address/).waitFor();
    await page.getByLabel(/^URL/).fill(`${world.target.url}/hook`);
    await page.getByRole("button", { name: "Create account" }).click();
    // The service's own judgement stands at the field.
    expect(await body.getAttribute("aria-invalid")).toBe("true");
    await body.fill('{"at": "');
    await page.getByRole("button", { name: /^public_address/ }).click();
    await page.keyboard.type('"}');
    expect(await body.inputValue()).toBe('{"at": "{{ public_address }}"}');
    await page.getByLabel("Values of the preview").selectOption("nas");
    await page.getByText('{"at": "203.0.113.7:5000"}').waitFor();
    expect(await tab.axe()).toEqual([]);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "hook" }).waitFor();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByText("It works").waitFor();

    await page.goto("/admin/callbacks/tasks/new");
    await page.getByRole("button", { name: "Create task" }).click();
    expect(await page.getByText("This is needed").count()).toBe(3);
    await page.getByLabel(/^Name/).fill("tell");
    await page.getByLabel(/^Linked STUN rule/).selectOption("nas");
    await page.getByLabel(/^Callback account/).selectOption("hook");
    await page.getByRole("button", { name: "Create task" }).click();
    await page.getByRole("heading", { level: 1, name: "tell" }).waitFor();

    await page.getByRole("link", { name: "Run history" }).click();
    await page.getByText("Nothing has run yet").waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await world.move({ port: 6_000 });
    await page.getByRole("link", { name: "tell", exact: true }).click();
    await page.getByText("The target has the address.").waitFor();
    await page.getByRole("group", { name: "Response body" }).first().getByText("ok").waitFor();
    await page.getByText('{"at": "203.0.113.7:6000"}').waitFor();
    expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
    expect(world.target.received.at(-1)?.body.toString()).toBe('{"at": "203.0.113.7:6000"}');
    expect(await tab.axe()).toEqual([]);
    await tab.screenshot("callback-run");
    expect(await tab.close()).toEqual([]);
  });

  test("a run that fails shows each try, when the next one comes, and answers as text only", async () => {
    const { world } = web;
    const tab = await web.open();
    const { page } = tab;
    world.target.failNext({ status: 503, body: "<b onclick=x>busy</b>" });
    await world.move({ port: 6_001 });
    await page.goto("/admin/callbacks/runs?status=retrying");
    await page.getByRole("link", { name: "tell", exact: true }).click();
    await page
      .getByText(/^The last try failed in a way that may pass\. Try 2 follows at/)
      .waitFor();
    await page.getByText("The target answered with status 503.").waitFor();
    await page.getByText("<b onclick=x>busy</b>").first().waitFor();
    expect(await page.locator("main b").count()).toBe(0);
    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
    await page.getByText("Somebody ended it").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    const first = page.url();
    await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
    await page.waitForURL((url) => url.href !== first);
    await world.settle();
    await page.getByText("The target has the address.").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("a tab behind others holds no connection, and catches up when it is seen again", async () => {
    const { world } = web;
    const tab = await web.open();
    const { page } = tab;
    const [isOpened] = await Promise.all([
      page.waitForRequest("**/api/events"),
      page.goto("/admin/callbacks/runs"),
    ]);
    await page.getByRole("link", { name: "tell", exact: true }).first().waitFor();
    const [closed] = await Promise.all([page.waitForEvent("requestfailed"), tab.beSeen(false)]);
    expect(closed).toBe(isOpened);
    await world.move({ port: 6_002 });
    await world.settle();
    await tab.beSeen(true);
    await page.getByText(/:6002$/).waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("a form begins with what is stored now, not with what was seen before", async () => {
    const { world } = web;
    const tab = await web.open();
    const { page } = tab;
    await page.goto("/admin/callbacks/accounts");
    await page.getByRole("link", { name: "hook", exact: true }).click();
    const name = page.getByLabel(/^Name/);
    await name.waitFor();
    const path = new URL(page.url()).pathname.replace("/admin", "/api");
    await page.getByRole("link", { name: "Run history" }).click();
    await page.getByRole("heading", { level: 1, name: "Run history" }).waitFor();
    await world.ask("PUT", path, { name: "renamed elsewhere" });
    await page.goBack();
    await name.waitFor();
    expect(await name.inputValue()).toBe("renamed elsewhere");
    await world.ask("PUT", path, { name: "hook" });
    expect(await tab.close()).toEqual([]);
  });

  test("the history is filtered in its address and exported as it is filtered", async () => {
    const tab = await web.open();
    const { page } = tab;
    await page.goto("/admin/callbacks/runs");
    await page.getByRole("link", { name: "tell", exact: true }).nth(2).waitFor();
    await page.getByLabel("Status", { exact: true }).selectOption("cancelled");
    await page.waitForURL(/status=cancelled/);
    await page
      .getByRole("link", { name: "tell", exact: true })
      .nth(1)
      .waitFor({ state: "detached" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("cancelled");
    await page.getByLabel("STUN rule").selectOption("nas");
    await page.waitForURL(/rule_id=\d+&status=cancelled/);
    await page.getByLabel("Status", { exact: true }).selectOption("superseded");
    await page.getByText("No run fits this filter").waitFor();
    await page.getByRole("link", { name: "Clear the filter" }).click();
    await page.getByRole("link", { name: "tell", exact: true }).nth(2).waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("a task rehearses, runs by hand, and says why it cannot while its rule has no address", async () => {
    const { world } = web;
    const tab = await web.open({ expected: [/409/] });
    const { page } = tab;
    await page.goto("/admin/callbacks/tasks");
    await page.getByRole("link", { name: "tell" }).click();
    await page.getByRole("button", { name: "Start a dry run" }).click();
    await page.getByText("A run would change this").waitFor();
    await page.getByText(/"body": "\{\\"at\\": /).waitFor();
    expect(await tab.axe()).toEqual([]);
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    await page.waitForURL(/callbacks\/runs\/\d+/);
    await world.settle();
    await page.getByText("The target has the address.").waitFor();
    await page.getByText("Somebody, by hand").waitFor();

    const { body } = await world.ask("GET", "/api/stun/rules");
    await world.ask("PUT", `/api/stun/rules/${body.rules[0].id}`, { enabled: false });
    await page.getByRole("link", { name: "tell" }).click();
    await page.getByRole("button", { name: "Run now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    await page.getByText("It cannot run now").waitFor();
    await page.getByRole("dialog").getByRole("link", { name: "Look at the rule" }).waitFor();
    await world.ask("PUT", `/api/stun/rules/${body.rules[0].id}`, { enabled: true });
    expect(await tab.close()).toEqual([]);
  });
});
