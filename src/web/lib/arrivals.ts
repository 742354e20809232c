/** Notes when another page of the app is come to, as the router announces it on the window. */
export class Arrivals {
  #path = location.pathname;
  #isNew = false;
  #isBack = false;

  constructor() {
    // The router tells of each change of the history under the name of what made it.
    for (const name of ["pushState", "replaceState", "popstate"]) {
      addEventListener(name, () => this.#note(name === "popstate"));
    }
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

  #note(isBack: boolean): void {
    if (location.pathname === this.#path) return;
    this.#path = location.pathname;
    this.#isNew = true;
    this.#isBack = isBack;
  }
}
