import type { PageHistory } from "./page-history.ts";

/** Notes when another page of the app is come to. */
export class Arrivals {
  #path: string;
  #isNew = false;
  #isBack = false;

  constructor(pages: PageHistory) {
    this.#path = pages.path();
    pages.subscribe((isBack) => this.#note(pages.path(), isBack));
  }

  /**
   * Whether the page at `path` has been come to by a link and nobody has asked before; scrolls to
   * its top, unless one went back to where one was.
   */
  take(path: string): boolean {
    if (!this.#isNew || path !== this.#path) return false;
    this.#isNew = false;
    if (!this.#isBack) scrollTo(0, 0);
    return true;
  }

  #note(path: string, isBack: boolean): void {
    if (path === this.#path) return;
    this.#path = path;
    this.#isNew = true;
    this.#isBack = isBack;
  }
}
