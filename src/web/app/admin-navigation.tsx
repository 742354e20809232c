import { useTranslation } from "react-i18next";
import { NavigationLink } from "./navigation-link.tsx";
import classes from "./navigation.module.css";
import { findPage, pages } from "./pages.ts";

const sections = ["registry", "holes", "callbacks", "system"] as const;

/** The pages for administrators, by what they are about. */
export function AdminNavigation() {
  const { t } = useTranslation("shell");
  const overview = findPage("checklist");
  const filled = sections
    .map((section) => ({
      section,
      entries: pages.filter((page) => page.section === section && page !== overview),
    }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <nav aria-label={t("navigation.administration")}>
      {overview && (
        <ul className={classes.list}>
          <NavigationLink page={overview} label={t("navigation.overview")} />
        </ul>
      )}
      {filled.map(({ section, entries }) => (
        <div key={section}>
          <p className={classes.section} id={`section-${section}`}>
            {t(`sections.${section}`)}
          </p>
          <ul className={classes.list} aria-labelledby={`section-${section}`}>
            {entries.map((page) => (
              <NavigationLink key={page.path} page={page} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
