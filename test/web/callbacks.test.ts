import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editedThings } from "../support/edited-things.ts";
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

  test("two who edit the same thing at once hear of it, and both their changes are stored", async () => {
    const { world } = web;
    const things = await editedThings(world);
    const [first, second] = [await web.open(), await web.open()];
    const pages = [first.page, second.page] as const;
    await Promise.all(pages.map((page) => page.goto("/admin/stun")));
    for (const { page: path, api, name, one, other, stored } of things) {
      await Promise.all(pages.map((page) => page.evaluate(goTo, path)));
      await Promise.all(pages.map((page) => page.waitForSelector("main [type=submit]")));
      await one(pages[0]);
      await other(pages[1]);
      await save(pages[0], name);
      // Whoever comes back to a page sees at once what is new.
      await second.beSeen(false);
      await second.beSeen(true);
      await untilSaid(pages[1], ELSEWHERE);
      await save(pages[1], name);
      expect((await world.ask("GET", api)).body).toMatchObject(stored);
    }
    expect([await first.close(), await second.close()]).toEqual([[], []]);
  });

  test("what was changed elsewhere is loaded anew, after a question where something was typed", async () => {
    const { world } = web;
    const tab = await web.open();
    const { page } = tab;
    const { body } = await world.ask("GET", "/api/callbacks/accounts");
    const [{ id }] = body.accounts;
    const changeElsewhere = async (name: string): Promise<void> => {
      await world.ask("PUT", `/api/callbacks/accounts/${id}`, { name });
      await tab.beSeen(false);
      await tab.beSeen(true);
      await page.getByText(ELSEWHERE).waitFor();
    };
    const name = page.getByLabel(/^Name/);
    const load = page.getByRole("button", { name: "Load it anew" });
    await page.goto(`/admin/callbacks/accounts/${id}`);
    await name.waitFor();
    await changeElsewhere("another name");
    await load.click();
    await page.getByText(ELSEWHERE).waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("another name");
    await name.fill("half-typed");
    await changeElsewhere("yet another");
    expect(await tab.axe()).toEqual([]);
    await load.click();
    const dialog = page.getByRole("dialog", { name: "Load it anew without saving?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await name.inputValue()).toBe("half-typed");
    await load.click();
    await dialog.getByRole("button", { name: "Load it anew" }).click();
    await page.getByText(ELSEWHERE).waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("yet another");

    // Where nothing was changed nobody is asked, and what one changes oneself is no news.
    const puts: (string | null)[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT") puts.push(request.postData());
    });
    await page.evaluate((words) => {
      const note = (): void => {
        if (document.body.textContent.includes(words)) Object.assign(globalThis, { isNews: true });
      };
      new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
    }, ELSEWHERE);
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText(/yet another is saved/).waitFor();
    await name.fill("mine");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText(/mine is saved/).waitFor();
    expect(puts).toEqual(['{"name":"mine"}']);
    expect(await page.evaluate(() => "isNews" in globalThis)).toBe(false);
    expect(await tab.close()).toEqual([]);
  });
});

/** Resolves when the page says so. */
async function save(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Save/ }).click();
  await untilSaid(page, `${name} is saved`);
}

/** Looks with every frame: there is much to wait for. */
async function untilSaid(page: Page, words: string): Promise<void> {
  await page.waitForFunction((said) => document.body.textContent.includes(said), words);
}

/** Runs in the browser: as a link does, without loading the app again. */
function goTo(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

const ELSEWHERE = "This was changed elsewhere since you opened it";
