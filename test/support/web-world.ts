import type { Browser } from "playwright-core";
import { ADMIN } from "./accounts.ts";
import { openBrowser, WatchedPage, type PageOptions } from "./browser.ts";
import { CallbackWorld } from "./callback-world.ts";
import { ManualClock } from "./manual-clock.ts";
import { startWebService } from "./web-app.ts";

/** For a machine that is busy. */
const PATIENCE_MS = 15_000;

/** A hole whose address the test moves, behind the built web app, with the administrator signed in. */
export class WebWorld {
  readonly world: CallbackWorld;
  readonly #browser: Browser;

  private constructor(world: CallbackWorld, browser: Browser) {
    this.world = world;
    this.#browser = browser;
  }

  static async start(): Promise<WebWorld> {
    const [browser, world] = await Promise.all([
      openBrowser(),
      CallbackWorld.start(
        { dialect: "sqlite", start: startWebService },
        { clock: new ManualClock(Date.now()) },
      ),
    ]);
    return new WebWorld(world, browser);
  }

  /** A tab of the administrator. */
  async open(options: PageOptions = {}): Promise<WatchedPage> {
    const { service, token } = this.world;
    const session = { token, email: ADMIN, isAdmin: true };
    const tab = await WatchedPage.open(this.#browser, service.origin, { session, ...options });
    tab.page.setDefaultTimeout(PATIENCE_MS);
    return tab;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.world.stop();
  }
}
