import type { ComponentType } from "react";
import { pagePaths, type PageName } from "../../shared/pages.ts";
import type { Feature } from "../locales/words.ts";

/** Where a page stands in the navigation. */
export type Section = "main" | "mine" | "registry" | "holes" | "callbacks" | "system";

export interface Page {
  name: PageName;
  path: string;
  access: "everyone" | "user" | "administrator";
  /** The words it needs, loaded together with it. */
  words: readonly Feature[];
  load: () => Promise<ComponentType>;
  /** Needs no more styles of the component library than base-styles.ts has. */
  lean?: boolean;
  section?: Section;
}

type Rest = Omit<Page, "name" | "path">;

function page(name: PageName, rest: Rest): Page {
  return { name, path: pagePaths[name], ...rest };
}

/**
 * Every page, in the order of the navigation, where those with a `section` stand. A path with
 * `new` comes before the one with an id in its place.
 */
export const pages: readonly Page[] = [
  page("status", {
    access: "everyone",
    words: ["status"],
    lean: true,
    section: "main",
    load: async () => (await import("../status/status-page.tsx")).StatusPage,
  }),
];

export function findPage(name: PageName): Page | undefined {
  return pages.find((each) => each.name === name);
}
