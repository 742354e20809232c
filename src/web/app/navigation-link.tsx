import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import classes from "./navigation.module.css";
import { pages, type Page } from "./pages.ts";

interface NavigationLinkProps {
  page: Page;
  /** Instead of the page's name. */
  label?: string;
  /** Stands for all pages below its path, not only those without an entry of their own. */
  isDoor?: boolean;
}

/** A page's entry in the navigation; it is current on the pages below it, too. */
export function NavigationLink({ page, label, isDoor = false }: NavigationLinkProps) {
  const { t } = useTranslation("shell");
  const [path] = useLocation();
  const isCurrent = currentEntry(path) === page;
  const isAround = isDoor && isBelow(path, page);
  return (
    <li>
      <Link
        href={page.path}
        className={classes.link}
        {...((isCurrent || isAround) && { "aria-current": isCurrent ? "page" : "true" })}
      >
        {label ?? t(`pages.${page.name}` as "pages.status")}
      </Link>
    </li>
  );
}

/** The entry whose path is the longest beginning of `path`. */
function currentEntry(path: string): Page | undefined {
  return pages
    .filter((page) => page.section && isBelow(path, page))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}

function isBelow(path: string, { path: own }: Page): boolean {
  return path === own || path.startsWith(`${own}/`);
}
