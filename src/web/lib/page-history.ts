import { useSyncExternalStore } from "react";

/** Asks whether the page may be left; if so, takes itself away and calls `goOn`, at once or later. */
type Guard = (goOn: () => void) => void;

interface NavigateOptions {
  replace?: boolean;
  state?: unknown;
}

interface Shown {
  path: string;
  search: string;
}

/**
 * Which address the app shows. It follows the browser's, but for a page that is guarded: there it
 * asks first, and a step back or forward that was made already is taken back meanwhile. Every entry
 * of ours in the browser's history holds its number, which says how far a step has led.
 */
export class PageHistory {
  #shown: Shown = shownNow();
  /** Of the entry that is shown. */
  #place: number;
  /** What is to be done when a step has been taken back. */
  #afterReturn: (() => void) | undefined;
  readonly #guards = new Set<Guard>();
  readonly #listeners = new Set<(isBack: boolean) => void>();

  constructor() {
    this.#place = placeIn(history.state) ?? 0;
    this.#stamp();
    addEventListener("popstate", () => this.#stepped());
  }

  /** For the router: the path, and how to go to another. */
  readonly useLocation = (): [string, (to: string, options?: NavigateOptions) => void] => [
    useSyncExternalStore(this.subscribe, this.path),
    this.navigate,
  ];

  /** For the router: what stands behind the path. */
  readonly useSearch = (): string => useSyncExternalStore(this.subscribe, this.search);

  readonly path = (): string => this.#shown.path;
  readonly search = (): string => this.#shown.search;

  /** @returns an end to it */
  readonly subscribe = (listener: (isBack: boolean) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** @returns an end to it */
  guard(guard: Guard): () => void {
    this.#guards.add(guard);
    return () => this.#guards.delete(guard);
  }

  readonly navigate = (to: string, { replace = false, state = null }: NavigateOptions = {}) => {
    const go = (): void => {
      if (!replace) this.#place += 1;
      const entry = { page: state, place: this.#place };
      if (replace) history.replaceState(entry, "", to);
      else history.pushState(entry, "", to);
      this.#show(false);
    };
    const { pathname } = new URL(to, location.href);
    if (pathname === this.#shown.path) go();
    else this.#ask(go);
  };

  /** After a step back or forward, and after a link to a place within the page. */
  #stepped(): void {
    const place = placeIn(history.state);
    const goOn = this.#afterReturn;
    this.#afterReturn = undefined;
    if (goOn) {
      this.#ask(goOn);
    } else if (place === undefined) {
      this.#place += 1;
      this.#stamp();
      this.#show(true);
    } else if (this.#mustAsk() && place !== this.#place) {
      const steps = place - this.#place;
      this.#afterReturn = () => history.go(steps);
      history.go(-steps);
    } else {
      this.#place = place;
      this.#show(true);
    }
  }

  #mustAsk(): boolean {
    return this.#guards.size > 0 && location.pathname !== this.#shown.path;
  }

  #ask(goOn: () => void): void {
    const [guard] = this.#guards;
    if (guard) guard(goOn);
    else goOn();
  }

  #stamp(): void {
    const page: unknown = history.state;
    history.replaceState({ page, place: this.#place }, "");
  }

  #show(isBack: boolean): void {
    const { path, search } = shownNow();
    if (path === this.#shown.path && search === this.#shown.search) return;
    this.#shown = { path, search };
    for (const listener of this.#listeners) listener(isBack);
  }
}

function shownNow(): Shown {
  return { path: location.pathname, search: location.search };
}

function placeIn(state: unknown): number | undefined {
  const { place } = (state ?? {}) as { place?: unknown };
  return typeof place === "number" ? place : undefined;
}
