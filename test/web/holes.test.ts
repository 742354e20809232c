import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Rule } from "../../src/shared/api/stun.ts";
import { PHONE } from "../support/browser.ts";
import { WebWorld } from "../support/web-world.ts";

describe("the pages of holes", () => {
  let web: WebWorld;
  beforeAll(async () => {
    web = await WebWorld.start();
  }, 120_000);
  afterAll(() => web.stop());

  test("a rule's form says what is wrong where it is, and the new rule shows itself live", async () => {
    const tab = await web.open({ expected: [/400/] });
    const { page } = tab;
    web.world.nat.taken.add(4_242);
    await page.goto("/admin/stun");
    await page.getByText("No rule yet").waitFor();
    await page.getByRole("link", { name: "New rule" }).first().click();
    await page.getByRole("button", { name: "Create rule" }).click();
    await page.getByText("This is needed").waitFor();
    const name = page.getByLabel(/^Name/);
    expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
    await name.fill("garage");
    await page.getByText("This is needed").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    await page.getByRole("button", { name: "Stay here" }).click();
    await page.getByLabel("Forward traffic to a service").click();
    await page.getByLabel(/^Host/).fill("no such host!");
    await page.getByLabel(/^Port/).fill("70000");
    // By keyboard: the error that appears when the field is left moves what is below it.
    await page.locator("summary", { hasText: "Advanced" }).press("Enter");
    await page.getByLabel(/^Probe interval/).fill("0");
    await page.getByLabel(/^STUN servers/).fill("stun.example.com:3478\nnonsense");
    await page.getByLabel(/^Local port/).fill("4242");
    await page.getByText("An IPv4 address, an IPv6 address or a DNS name").waitFor();
    await page.getByText("A whole number from 1 to 65535").waitFor();
    await page.getByText("A whole number from 1 to 3600").waitFor();
    await page.getByText(/^Line 2: write host:port/).waitFor();
    expect(await tab.axe()).toEqual([]);
    await page.getByLabel(/^Host/).fill("192.168.1.10");
    await page.getByLabel(/^Port/).fill("443");
    await page.getByLabel(/^Probe interval/).fill("1");
    await page.getByLabel(/^Settle time/).fill("0");
    await page.getByLabel(/^STUN servers/).fill("");
    await page.getByRole("button", { name: "Create rule" }).click();
    // What only the service knows stands at its field.
    await page.getByText(/^Is refused: .*4242/).waitFor();
    await page.getByLabel(/^Local port/).fill("0");
    await page.getByRole("button", { name: "Create rule" }).click();

    await page.getByRole("heading", { level: 1, name: "garage" }).waitFor();
    await page.getByText("The rule garage is created").waitFor();
    await page.getByText("No public address now").waitFor();
    await web.world.advance(1_000);
    await page.getByText("203.0.113.7:5000").first().waitFor();
    await page.getByText("First mapping (baseline)").waitFor();
    await page.getByRole("button", { name: "Probe now" }).click();
    await page.getByText("Asking the STUN servers …").waitFor();
    await web.world.advance(1_000);
    await page.getByText(/answered in .* and sees 203\.0\.113\.7:5000\./).waitFor();
    await web.world.moveQuietly({ port: 5_001 });
    await page.getByText("Port changed").waitFor();
    await page.getByText("203.0.113.7:5001").first().waitFor();
    expect(await tab.axe()).toEqual([]);
    await tab.screenshot("stun-rule");
    expect(await tab.close()).toEqual([]);
  });

  test("a rule that tasks use names them instead of going; without them it goes by its name", async () => {
    const rule = await web.world.openRule({ name: "used" });
    const account_id = await web.world.addAccount({ name: "hook of used" });
    const task = await web.world.addTask({ name: "teller", stun_rule_id: rule.id, account_id });
    const tab = await web.open();
    const { page } = tab;
    await page.goto(`/admin/stun/${rule.id}`);
    await page.getByRole("link", { name: "teller" }).first().waitFor();
    await page.getByRole("button", { name: "Delete rule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("These tasks are linked to the rule").waitFor();
    expect(await dialog.getByRole("link", { name: "teller" }).getAttribute("href")).toBe(
      `/admin/callbacks/tasks/${task}`,
    );
    expect(await dialog.getByRole("button", { name: "Delete rule" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await web.world.ask("DELETE", `/api/callbacks/tasks/${task}`);
    await page.reload();
    await page.getByText("Nothing is started yet").waitFor();
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
    await page.getByText("The rule is switched off and holds no hole.").waitFor();
    await page.getByRole("button", { name: "Delete rule" }).click();
    const sure = page.getByRole("dialog").getByRole("button", { name: "Delete rule" });
    expect(await sure.isDisabled()).toBe(true);
    await page.getByLabel("To confirm, type used").fill("used");
    const onlooker = await web.open({ expected: [/404/] });
    await onlooker.page.goto(`/admin/stun/${rule.id}`);
    await onlooker.page.getByRole("heading", { level: 1, name: "used" }).waitFor();
    await sure.click();
    await onlooker.page.getByText("There is no rule with this id").first().waitFor();
    expect(await onlooker.close()).toEqual([]);
    await page.waitForURL("/admin/stun");
    await page.getByText("The rule used is deleted").waitFor();
    await page.getByRole("link", { name: "used", exact: true }).waitFor({ state: "detached" });
    expect(await tab.close()).toEqual([]);
  });

  test.each([
    ["en", "The instance cellar is not running. Until it is back, attic holds the hole", "held by"],
    ["zh-CN", "实例 cellar 未在运行。恢复之前，洞由 attic 代为维持", "由 attic 代为维持"],
  ] as const)(
    "whose hole an instance holds for another is said (%s)",
    async (language, words, short) => {
      const [rule] = await web.world.expect<Rule[]>(
        200,
        "rules",
        web.world.ask("GET", "/api/stun/rules"),
      );
      if (!rule) throw new Error("there is a rule");
      const held = { ...rule, instance: "cellar" };
      const stand_ins = [{ rule_id: rule.id, instance: "attic" }];
      const tab = await web.open({ language, width: PHONE, expected: [/404/] });
      const { page } = tab;
      await page.route("**/api/stun/rules", (route) => route.fulfill({ json: { rules: [held] } }));
      await page.route(`**/api/stun/rules/${rule.id}`, (route) =>
        route.fulfill({ json: { rule: held } }),
      );
      let isKnown = false;
      await page.route("**/api/stun/stand-ins", (route) =>
        route.fulfill(isKnown ? { json: { stand_ins } } : { status: 404, json: {} }),
      );
      const [unknown] = await Promise.all([
        page.waitForResponse("**/api/stun/stand-ins"),
        page.goto("/admin/stun"),
      ]);
      expect(unknown.status()).toBe(404);
      // The rules are shown whoever holds them.
      await page.getByRole("link", { name: rule.name }).waitFor();
      expect(await page.getByText(short).count()).toBe(0);
      isKnown = true;
      await page.reload();
      await page.getByText(short).waitFor();
      expect(await tab.overflows()).toBe(false);
      await tab.screenshot(`stand-in-list-${language}`);
      await page.getByRole("link", { name: rule.name }).click();
      await page.getByText(words).waitFor();
      expect(await tab.axe()).toEqual([]);
      expect(await tab.overflows()).toBe(false);
      await tab.screenshot(`stand-in-${language}`);
      expect(await tab.close()).toEqual([]);
    },
  );

  test("a NAT is diagnosed in words, and what was found can be copied", async () => {
    const tab = await web.open({ expected: [/400/] });
    const { page } = tab;
    await page.goto("/admin/diagnosis");
    await page.getByText("Use other STUN servers").click();
    await page.getByLabel(/^STUN servers/).fill("nonsense");
    await page.getByRole("button", { name: "Start the diagnosis" }).click();
    await page.getByText(/^Line 1: write host:port/).waitFor();
    await page.getByLabel(/^STUN servers/).fill("");
    await page.getByRole("button", { name: "Start the diagnosis" }).click();
    await page.getByText("A hole can work here").waitFor({ timeout: 20_000 });
    await page.getByText("Yes, the same for everybody").waitFor();
    await page.getByText("The public port stays the same whoever you speak to").waitFor();
    expect(await tab.axe()).toEqual([]);
    await page.getByRole("button", { name: "Copy: the result as JSON" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(copied).toMatchObject({ transport: "udp", mapping: "endpoint_independent" });
    await tab.screenshot("diagnosis");
    expect(await tab.close()).toEqual([]);
  });
});
