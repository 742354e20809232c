import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

export const PHONE = 360;
export const DESK = 1280;

/** Where Debian and its relatives put it. */
const CHROMIUM = "/usr/bin/chromium";
const HEIGHT = 900;

/** Who is signed in: what the log-in has answered. */
interface SignedIn {
  token: string;
  email: string;
  isAdmin?: boolean;
}

export interface PageOptions {
  /** `PHONE` or `DESK`, px. */
  width?: number;
  scheme?: "light" | "dark";
  language?: "en" | "zh-CN";
  session?: SignedIn;
  /** Words that a console error or a failed request may hold because the test provokes it. */
  expected?: readonly RegExp[];
}

export function openBrowser(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0;
  // Nothing is drawn by a graphics card: a process for one is in the way of the others.
  const noCard = ["--disable-gpu", "--in-process-gpu"];
  return chromium.launch({
    executablePath: CHROMIUM,
    args: asRoot ? ["--no-sandbox", ...noCard] : noCard,
  });
}

/** A tab with nothing remembered, which notes whatever goes wrong in it. */
export class WatchedPage {
  readonly page: Page;
  readonly problems: string[] = [];
  readonly #context: BrowserContext;

  private constructor(page: Page, context: BrowserContext, expected: readonly RegExp[]) {
    this.page = page;
    this.#context = context;
    const note = (problem: string): void => {
      if (!expected.some((each) => each.test(problem))) this.problems.push(problem);
    };
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) {
        note(`console ${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
    page.on("pageerror", (error) => note(`uncaught: ${error.message}`));
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // Left pages take their requests with them.
      if (reason !== "net::ERR_ABORTED")
        note(`failed: ${request.method()} ${request.url()}: ${reason}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) note(`${response.status()}: ${response.url()}`);
    });
  }

  /** @param origin of the service */
  static async open(
    browser: Browser,
    origin: string,
    options: PageOptions = {},
  ): Promise<WatchedPage> {
    const { width = DESK, scheme = "light", language = "en", session, expected = [] } = options;
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width, height: HEIGHT },
      colorScheme: scheme,
      locale: language,
      timezoneId: "UTC",
      reducedMotion: "reduce",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    if (session) await context.addInitScript(remember, toStored(session));
    return new WatchedPage(await context.newPage(), context, expected);
  }

  /** What is wrong about access to the page as it stands, one line each (WCAG 2.2 AA). */
  async axe(): Promise<string[]> {
    // It stays in the document that it was put into.
    if (!(await this.page.evaluate(() => "axe" in globalThis))) {
      await this.page.evaluate(axe.source);
    }
    const violations = await this.page.evaluate(runAxe);
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.join(" | ")}`);
  }

  /** Into the folder that WAYPOST_SCREENSHOTS names; nowhere without it. */
  async screenshot(name: string): Promise<void> {
    const folder = process.env["WAYPOST_SCREENSHOTS"];
    if (!folder) return;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  /** Has the page believe that its tab is in front of the others, or behind them. */
  async beSeen(isSeen: boolean): Promise<void> {
    await this.page.evaluate(
      (state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      },
      isSeen ? "visible" : "hidden",
    );
  }

  /** Whether something is wider than the window, so that one must scroll sideways. */
  async overflows(): Promise<boolean> {
    return this.page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
  }

  /** Closes the tab. @returns what has gone wrong in it */
  async close(): Promise<string[]> {
    await this.#context.close();
    return this.problems;
  }
}

function toStored({ token, email, isAdmin = false }: SignedIn): string {
  const claims = JSON.parse(
    Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"),
  ) as {
    exp: number;
  };
  return JSON.stringify({ token, email, isAdmin, expiresAt: claims.exp * 1000 });
}

/** Runs in the browser, before the app; once, so that signing out lasts. */
function remember(session: string): void {
  if (sessionStorage.getItem("remembered") !== null) return;
  sessionStorage.setItem("remembered", "yes");
  localStorage.setItem("waypost.session", session);
}

interface AxeViolation {
  id: string;
  help: string;
  nodes: string[];
}

/** Runs in the browser. */
async function runAxe(): Promise<AxeViolation[]> {
  const { axe: engine } = globalThis as unknown as {
    axe: {
      run(options: object): Promise<{
        violations: {
          id: string;
          help: string;
          nodes: { target: unknown[]; failureSummary: string }[];
        }[];
      }>;
    };
  };
  const { violations } = await engine.run({
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  });
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`),
  }));
}
