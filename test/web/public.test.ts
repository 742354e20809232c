import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/server/lib/clock.ts";
import { join, setUp } from "../support/accounts.ts";
import { openBrowser, WatchedPage, type PageOptions } from "../support/browser.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createNode, sendReport, type CreatedNode } from "../support/nodes.ts";
import { expectGoodLooks, looks } from "../support/page-looks.ts";
import type { TestService } from "../support/service.ts";
import { startWebService } from "../support/web-app.ts";

const OWNER = "owner@example.com";

/** Of a first visit, with what the API is asked. */
const MOST_REQUESTS = 25;

describe("public pages", () => {
  let browser: Browser;
  let service: TestService;
  let owner: string;
  let relay: CreatedNode;
  let plain: CreatedNode;
  beforeAll(async () => {
    const clock = new ManualClock(Date.now() - 30 * MINUTE_MS);
    [browser, service] = await Promise.all([openBrowser(), startWebService({ clock })]);
    await setUp(service);
    owner = await join(service, OWNER);
    relay = await createNode(service, owner, {
      node_name: "relay-tokyo",
      region_type: "overseas",
      region_detail: "Tokyo",
      tags: "fast, ipv6",
      allow_relay: 1,
      max_bandwidth: 1000,
      max_traffic: 500,
      max_connections: 50,
      connections: [
        { type: "TCP", ip: "203.0.113.7", port: 11010 },
        { type: "QUIC", ip: "2001:db8::7", port: 11012 },
      ],
    });
    plain = await createNode(service, owner, { node_name: "plain-shanghai", max_bandwidth: 100 });
    await createNode(service, owner, { node_name: "silent" });
    for (let minute = 0; minute < 30; minute++) {
      await report(relay, { current_bandwidth: 300 + minute, reported_traffic: 0.5 });
      await report(plain, { current_bandwidth: 10 });
      clock.advance(MINUTE_MS);
      await service.service.reports.runWorkersOnce();
    }
    await report(relay, { current_bandwidth: 400 });
    await report(plain, { current_bandwidth: 10 });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const report = (node: CreatedNode, fields: Record<string, unknown>) =>
    sendReport(service, OWNER, node, fields);
  const open = async (options: PageOptions = {}): Promise<WatchedPage> => {
    const tab = await WatchedPage.open(browser, service.origin, options);
    tab.page.setDefaultTimeout(5000);
    return tab;
  };

  test.each(looks)(
    "every page is accessible and fits, in both schemes ($language)",
    async (look) => {
      const tab = await open({ language: look.language, expected: [/nodes\/999/, /nowhere/] });
      for (const [name, path] of [
        ["status", "/"],
        ["node", `/nodes/${relay.id}`],
        ["gone-node", "/nodes/999"],
        ["find", "/find"],
        ["nowhere", "/nowhere"],
      ] as const) {
        await tab.page.goto(path);
        await tab.page.locator("h1").waitFor();
        expect(await tab.page.locator("html").getAttribute("lang")).toBe(look.language);
        if (name === "find") {
          await tab.page.locator("form button[type=submit]").click();
          await tab.page.locator("ol > li").first().waitFor();
        }
        await expectGoodLooks(tab, look, name);
      }
      expect(await tab.close()).toEqual([]);
    },
    60_000,
  );

  test("the list shows the nodes, and its filters stand in the address", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/");
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(3);
    expect(await page.getByText("of 3 nodes").count()).toBe(1);
    await page.getByLabel("Search").fill("tokyo FAST");
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel("Relays only").check();
    expect(new URL(page.url()).search).toBe("?q=tokyo+FAST&relay=1");

    await page.goto("/?region=domestic&tag=none-has-it");
    await page.getByText("No node is like that").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => rows.count()).toBe(3);
    expect(new URL(page.url()).search).toBe("");
    expect(await tab.close()).toEqual([]);
  });

  test("a node is opened from the list; the heading has the focus, and back leads back", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/?q=tokyo");
    await page.getByRole("link", { name: "relay-tokyo" }).click();
    const heading = page.getByRole("heading", { level: 1, name: /relay-tokyo|Node/ });
    await heading.waitFor();
    await expect.poll(() => page.title()).toBe("relay-tokyo · Waypost");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.getByText(/^Up \d/).waitFor();

    const chart = page.getByRole("img", { name: /^Bandwidth/ });
    await chart.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.getByText(/: 3\d\d Mbit\/s/).waitFor();
    await page.getByText("Show as a table").first().click();
    await expect.poll(() => page.locator("details tbody tr").count()).toBeGreaterThan(20);

    await page.goBack();
    await page.getByRole("heading", { name: "Status of the nodes" }).waitFor();
    expect(await page.getByLabel("Search").inputValue()).toBe("tokyo");
    expect(await tab.close()).toEqual([]);
  });

  test("the answer to a search says why, and its addresses can be copied", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/find");
    await page.getByLabel("How many").fill("0");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByText("A whole number from 1 to 20").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("inputmode"))).toBe(
      "numeric",
    );
    await page.getByLabel("How many").fill("5");
    await page.getByLabel("Relays only").check();
    await page.getByLabel("Transport").selectOption("QUIC");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByText("1 node for you").waitFor();
    expect(new URL(page.url()).search).toBe("?transport=QUIC&limit=5&relay=1");
    await page.getByText("485 GB of 500 GB left this period").waitFor();
    await page.getByRole("button", { name: /quic:/ }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      "quic://[2001:db8::7]:11012",
    );
    const { promise: isLooked, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/api/query", (route) => isLooked.then(() => route.continue()));
    const another = page.getByRole("button", { name: "Another one in place of relay-tokyo" });
    await another.press("Enter");
    await expect.poll(() => another.isDisabled()).toBe(true);
    goOn();
    await page.getByText("No node fits right now").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^No node fits/);
    expect(await tab.close()).toEqual([]);
  });

  test("language and colours are kept; the page is told apart by neither alone", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/");
    await page.getByRole("button", { name: "中文" }).click();
    await page.getByRole("heading", { name: "节点状态" }).waitFor();
    await page.getByRole("button", { name: "配色：跟随系统" }).click();
    await page.getByRole("button", { name: "配色：浅色" }).click();
    await page.getByRole("button", { name: "配色：深色" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "节点状态" }).waitFor();
    const html = page.locator("html");
    expect(await html.getAttribute("lang")).toBe("zh-CN");
    expect(await html.getAttribute("data-mantine-color-scheme")).toBe("dark");
    expect(await tab.close()).toEqual([]);
  });

  test("a service that does not answer is said in words, and what was shown stays", async () => {
    const tab = await open({ expected: [/ERR_FAILED/] });
    const { page } = tab;
    await page.route("**/api/public/**", (route) => route.abort("failed"));
    await page.goto("/");
    await page.getByText("The service does not answer").first().waitFor({ timeout: 15_000 });
    await page.unroute("**/api/public/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(3);
    expect(await tab.close()).toEqual([]);
  });

  test("a long list is shown page by page, and says how much of it is shown", async () => {
    const names = Array.from({ length: 60 }, (_, n) => `crowd-${n}`);
    await Promise.all(names.map((name) => createNode(service, owner, { node_name: name })));
    const tab = await open();
    const { page } = tab;
    await page.goto("/?q=crowd");
    const rows = page.locator("tbody tr");
    await page.getByText("60 of 63 nodes · 1–50 are shown").waitFor();
    expect(await rows.count()).toBe(50);
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("60 of 63 nodes · 51–60 are shown").waitFor();
    await expect.poll(() => rows.count()).toBe(10);
    expect(new URL(page.url()).search).toBe("?q=crowd&page=2");
    await page.getByLabel("Search").fill("crowd-59");
    await page.getByText("1 of 63 nodes").waitFor();
    expect(new URL(page.url()).search).toBe("?q=crowd-59");
    await page.goto("/?page=99");
    await page.getByText("63 nodes · 51–63 are shown").waitFor();
    expect(new URL(page.url()).search).toBe("?page=2");
    await page.getByRole("link", { name: "Previous" }).click();
    await page.getByText("Page 1 of 2").waitFor();
    expect(await page.getByRole("link", { name: "Previous" }).count()).toBe(0);
    expect(await tab.close()).toEqual([]);
  });

  test("the first paint comes within a second, and no request leaves the service", async () => {
    const tab = await open();
    const { page } = tab;
    const hosts = new Set<string>();
    let requests = 0;
    page.on("request", (request) => {
      hosts.add(new URL(request.url()).host);
      requests += 1;
    });
    await page.goto("/");
    await page.getByText("relay-tokyo").waitFor();
    const paint = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    );
    expect(paint).toBeGreaterThan(0);
    expect([...hosts]).toEqual([new URL(service.origin).host]);
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(await tab.close()).toEqual([]);
    process.stdout.write(`first contentful paint: ${paint?.toFixed(0)} ms\n`);
  });
});
