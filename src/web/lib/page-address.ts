import { pagePaths, type PageName } from "../../shared/pages.ts";

/** Where a page is: of the thing with this id, and with these words in its query. */
export function pageAddress(
  name: PageName,
  id?: number,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const path = id === undefined ? pagePaths[name] : pagePaths[name].replace(":id", String(id));
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") words.set(key, String(value));
  }
  return words.size === 0 ? path : `${path}?${words.toString()}`;
}
