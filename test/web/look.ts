import { openBrowser, WatchedPage, PHONE, DESK } from "../support/browser.ts";
import { startWebService } from "../support/web-app.ts";
import { setUp, join } from "../support/accounts.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { ManualClock } from "../support/manual-clock.ts";
const service = await startWebService({ clock: new ManualClock(Date.now() - 3 * 3600_000) });
const admin = await setUp(service);
const owner = await join(service, "owner@example.com");
const names = [
  "tokyo-1",
  "shanghai-core",
  "frankfurt-2",
  "singapore-relay",
  "beijing-3",
  "los-angeles",
  "sydney-edge",
  "guangzhou-5",
];
const nodes = [];
for (const [n, name] of names.entries()) {
  nodes.push(
    await createNode(service, owner, {
      node_name: name,
      region_type: n % 2 ? "domestic" : "overseas",
      region_detail: ["Tokyo, Japan", "Shanghai", "Frankfurt", "Guangdong"][n % 4],
      max_bandwidth: 1000,
      tier_bandwidth: 500,
      max_traffic: n % 3 ? 2000 : 0,
      max_connections: n % 4 ? 200 : 0,
      tags: ["fast, ipv6", "", "cheap", "lab, testing, ipv6"][n % 4],
      allow_relay: n % 2,
      connections: [
        { type: "TCP", ip: "203.0.113." + n, port: 11010 },
        { type: "QUIC", ip: "2001:db8::" + n, port: 11012 },
      ],
    }),
  );
}
for (let m = 0; m < 180; m++) {
  for (const [n, node] of nodes.entries()) {
    if (n === 5) continue;
    if (m > 120 && m < 130 && n === 2) continue;
    await sendReport(service, "owner@example.com", node, {
      current_bandwidth: Math.max(0, 300 + 250 * Math.sin(m / 20 + n) + n * 40),
      connection_count: 20 * n + (m % 17),
      reported_traffic: 0.5 + n,
      status: n === 7 && m > 170 ? "draining" : "online",
    });
  }
  service.clock.advance(60_000);
  await service.service.reports.runWorkersOnce();
}
const {
  body: { token: fresh },
} = await service.request("POST", "/api/auth/login", {
  body: { email: "owner@example.com", password: "a good password" },
});
const browser = await openBrowser();
const paths = (
  process.argv[2] ??
  "/,/nodes/" +
    nodes[1]!.id +
    ",/find,/sign-in,/sign-up,/forgot-password,/profile,/nowhere,/reset-password?token=x"
).split(",");
for (const path of paths) {
  for (const [n, o] of [
    ["desk", { width: DESK }],
    ["phone", { width: PHONE, scheme: "dark", language: "zh-CN" }],
  ] as const) {
    const page = await WatchedPage.open(browser, service.origin, {
      ...o,
      session: path === "/profile" ? { token: fresh, email: "owner@example.com" } : undefined,
    } as never);
    await page.page.goto(path);
    await page.page.waitForTimeout(1200);
    if (path === "/find") {
      await page.page.locator("form button[type=submit]").click();
      await page.page.waitForTimeout(500);
    }
    await page.screenshot(`${path.replaceAll(/[/?=]/g, "_")}-${n}`);
    console.log(path, n, await page.axe(), await page.overflows(), await page.close());
  }
}
await browser.close();
await service.stop();
