import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import classes from "./navigation.module.css";
import { pages, type Page } from "./pages.ts";

/** A page's entry in the navigation; it is current on the pages below it, too. */
export function NavigationLink({ page }: { page: Page }) {
  const { t } = useTranslation("shell");
  const [path] = useLocation();
  return (
    <li>
      <Link
        href={page.path}
        className={classes.link}
        {...(currentEntry(path) === page && { "aria-current": "page" as const })}
      >
        {t(`pages.${page.name}` as "pages.status")}
      </Link>
    </li>
  );
}

/** The entry whose path is the longest beginning of `path`. */
function currentEntry(path: string): Page | undefined {
  return pages
    .filter(({ section, path: own }) => section && (path === own || path.startsWith(`${own}/`)))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}
