import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { join, logIn, PASSWORD, setUp, tryLogIn } from "../support/accounts.ts";
import { openBrowser, WatchedPage, type PageOptions } from "../support/browser.ts";
import { expectGoodLooks, looks } from "../support/page-looks.ts";
import type { TestService } from "../support/service.ts";
import { SmtpServer } from "../support/smtp.ts";
import { startWebService } from "../support/web-app.ts";

describe("account pages", () => {
  let browser: Browser;
  let smtp: SmtpServer;
  let service: TestService;
  let mailing: TestService;
  let token: string;
  const email = "ann@example.com";
  beforeAll(async () => {
    [browser, smtp, service] = await Promise.all([
      openBrowser(),
      SmtpServer.start(),
      startWebService(),
    ]);
    mailing = await startWebService({ env: { SMTP_URL: smtp.url, MAIL_FROM: "w@example.org" } });
    await Promise.all([setUp(service), setUp(mailing)]);
    token = await join(service, email);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await Promise.all([service.stop(), mailing.stop()]);
    await smtp.stop();
  });

  const open = async (options: PageOptions = {}, at = service): Promise<WatchedPage> => {
    const tab = await WatchedPage.open(browser, at.origin, options);
    tab.page.setDefaultTimeout(5000);
    return tab;
  };

  test.each(looks)(
    "every page is accessible and fits, in both schemes ($language)",
    async (look) => {
      const tab = await open({ language: look.language });
      for (const [name, path] of [
        ["sign-in", "/sign-in"],
        ["sign-up", "/sign-up"],
        ["verify", "/verify?token=x"],
        ["no-token", "/verify"],
        ["forgot-password", "/forgot-password"],
        ["reset-password", "/reset-password?token=x"],
      ] as const) {
        await tab.page.goto(path);
        await tab.page.locator("h1").waitFor();
        if (["sign-in", "sign-up", "reset-password"].includes(name)) {
          await tab.page.locator("form button[type=submit]").click();
          await tab.page.locator("[aria-invalid=true]").first().waitFor();
        }
        await expectGoodLooks(tab, look, name);
      }
      expect(await tab.close()).toEqual([]);
      const own = await open({ language: look.language, session: { token, email } });
      await own.page.goto("/profile");
      await own.page.locator("form").waitFor();
      await expectGoodLooks(own, look, "profile");
      expect(await own.close()).toEqual([]);
    },
    60_000,
  );

  test("somebody signs up, confirms at once where no mail is sent, and signs in", async () => {
    const tab = await open({ expected: [/40[0-9]/] });
    const { page } = tab;
    await page.goto("/sign-up");
    await page.getByLabel("E-mail address").fill("no address");
    await page.getByLabel("Password", { exact: false }).first().fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("An e-mail address looks like name@example.com").waitFor();
    await page.getByText("At least 8 characters").waitFor();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password", { exact: false }).first().fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").waitFor();

    await page.getByLabel("E-mail address").fill("bo@example.com");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("link", { name: "Confirm this address" }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();

    await page.getByLabel("E-mail address").fill("bo@example.com");
    await page.locator("input[type=password]").fill("a wrong password");
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.locator("input[type=password]").fill(PASSWORD);
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Account of bo@example.com" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    expect(await tab.close()).toEqual([]);
  });

  /** The one of the next mail. */
  async function link(): Promise<string> {
    return /^http\S+token=\S+$/m.exec((await smtp.next()).text)?.[0] ?? "";
  }

  test("the mails lead to the pages that do what they say", async () => {
    const tab = await open({ expected: [/ 403|40[03]:/] }, mailing);
    const { page } = tab;
    await page.goto("/sign-up");
    await page.getByLabel("E-mail address").fill("cy@example.com");
    await page.locator("input[type=password]").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("We have sent a link to cy@example.com").waitFor();
    const first = await link();
    await page.goto("/sign-in");
    await page.getByLabel("E-mail address").fill("cy@example.com");
    await page.locator("input[type=password]").fill(PASSWORD);
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Send the mail again" }).click();
    await page.getByText("a mail is on its way").waitFor();
    expect(await link()).not.toBe(first);
    await page.goto(first);
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();

    await page.goto("/forgot-password");
    await page.getByLabel("E-mail address").fill("cy@example.com");
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText("a mail is on its way").waitFor();
    await page.goto(await link());
    await page.locator("input[type=password]").fill("another password");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "The new password is set" }).waitFor();
    expect((await tryLogIn(mailing, "cy@example.com", "another password")).status).toBe(200);
    expect(await tab.close()).toEqual([]);
  });

  test("a link that was used or has expired is said so", async () => {
    const tab = await open({ expected: [/400/] });
    await tab.page.goto("/verify?token=used");
    await tab.page.getByRole("button", { name: "Confirm" }).click();
    await tab.page.getByRole("alert").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("what the service says is Chinese on a Chinese page, and loaded only then", async () => {
    const tab = await open({ language: "zh-CN", expected: [/401/] });
    const { page } = tab;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await page.goto("/sign-in");
    await page.getByLabel("邮箱地址").fill(email);
    await page.locator("input[type=password]").fill("not the password");
    expect(loaded.filter((url) => url.includes("catalogue"))).toEqual([]);
    await page.locator("form button[type=submit]").click();
    await page.getByText("邮箱地址或密码错误").waitFor();
    expect(loaded.filter((url) => url.includes("catalogue"))).toHaveLength(1);
    await tab.screenshot("refusal-zh-CN");
    expect(await tab.close()).toEqual([]);
  });

  test("who must sign in first is led back to where they wanted to go, and nowhere else", async () => {
    const tab = await open();
    const { page } = tab;
    await page.goto("/profile");
    await page.waitForURL("**/sign-in?next=%2Fprofile");
    const signIn = async (): Promise<void> => {
      await page.getByLabel("E-mail address").fill(email);
      await page.locator("input[type=password]").fill(PASSWORD);
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    };
    await signIn();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    await page.getByRole("button", { name: "Account of" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    await page.goto("/sign-in?next=//example.org/");
    await signIn();
    await page.getByRole("button", { name: "Account of" }).waitFor();
    expect(page.url()).toBe(`${service.origin}/`);
    expect(await tab.close()).toEqual([]);
  });

  test("a new password keeps this browser signed in; everywhere signs it out too", async () => {
    const own = "di@example.com";
    const session = { token: await join(service, own), email: own };
    const tab = await open({ session, expected: [/401/] });
    const { page } = tab;
    await page.goto("/profile");
    const [current, next] = [
      page.locator("input[type=password]").first(),
      page.locator("input[type=password]").last(),
    ];
    await current.fill("not the password");
    await next.fill("the next password");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect.poll(() => current.getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("link", { name: "Status" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stay here" }).click();
    await current.fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("The new password is set").waitFor();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL("**/sign-in**");
    expect((await tryLogIn(service, own, "the next password")).status).toBe(200);
    expect(await tab.close()).toEqual([]);
  });

  test("a session that was ended elsewhere leads to signing in, with a word about it", async () => {
    const own = "ed@example.com";
    const session = { token: await join(service, own), email: own };
    await service.request("POST", "/api/auth/logout-everywhere", { token: session.token });
    const tab = await open({ session, expected: [/401/] });
    await tab.page.goto("/profile");
    await tab.page.getByText("Your session has ended").waitFor();
    expect(await tab.close()).toEqual([]);
  });

  test("what was typed is there again when the same account signs in again, and for no other", async () => {
    const writer = "writer@example.com";
    const session = { token: await join(service, writer), email: writer };
    const tab = await open({ session, expected: [/401/] });
    const { page } = tab;
    const name = page.getByLabel(/^Name/);
    const signIn = async (who: string): Promise<void> => {
      await page.getByText("Your session has ended").waitFor();
      expect(await name.isVisible()).toBe(false);
      await page.getByLabel("E-mail address").fill(who);
      await page.locator("input[type=password]").fill(PASSWORD);
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
      await name.waitFor();
    };
    const add = page.getByRole("button", { name: "Add node" });
    await page.goto("/my/nodes/new");
    await name.fill("typed before");
    await page.getByLabel(/^Address/).fill("203.0.113.7");
    await service.request("POST", "/api/auth/logout-everywhere", { token: session.token });
    await add.click();
    await signIn(writer);
    expect(await name.inputValue()).toBe("typed before");
    expect(await page.title()).toBe("Add a node · Waypost");

    const again = await logIn(service, writer);
    await service.request("POST", "/api/auth/logout-everywhere", { token: again });
    await add.click();
    await join(service, "reader@example.com");
    await signIn("reader@example.com");
    expect(await name.inputValue()).toBe("");
    expect(await tab.close()).toEqual([]);
  });
});
