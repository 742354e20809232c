import { pagePaths } from "../../shared/pages.ts";

/** The sign-in page, which returns to where one is now. */
export function signInAddress(): string {
  const here = location.pathname + location.search;
  return here === "/" ? pagePaths.signIn : `${pagePaths.signIn}?next=${encodeURIComponent(here)}`;
}

/** Where to go after signing in: a page of this app, never another site. */
export function addressAfterSignIn(next: string | null): string {
  if (!next?.startsWith("/") || !URL.canParse(next, location.origin)) return pagePaths.status;
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? url.pathname + url.search : pagePaths.status;
}
