import { expect } from "vitest";
import { DESK, PHONE, type WatchedPage } from "./browser.ts";

/** Two languages, each at two of the four ways a page may look; together all four. */
export const looks = [
  {
    language: "en",
    ways: [
      { width: PHONE, scheme: "light" },
      { width: DESK, scheme: "dark" },
    ],
  },
  {
    language: "zh-CN",
    ways: [
      { width: PHONE, scheme: "dark" },
      { width: DESK, scheme: "light" },
    ],
  },
] as const;

type Look = (typeof looks)[number];

/** Expects of a page, once it is loaded, that it is accessible and nothing is wider than the window. */
export async function expectGoodLooks(
  tab: WatchedPage,
  { language, ways }: Look,
  name: string,
): Promise<void> {
  await expect.poll(() => tab.page.locator(".mantine-Skeleton-root").count()).toBe(0);
  for (const { width, scheme } of ways) {
    await tab.page.setViewportSize({ width, height: 900 });
    await tab.page.emulateMedia({ colorScheme: scheme });
    const look = `${name}-${width}-${scheme}-${language}`;
    await tab.screenshot(look);
    expect([look, await tab.axe()]).toEqual([look, []]);
    expect([look, await tab.overflows()]).toEqual([look, false]);
  }
}
