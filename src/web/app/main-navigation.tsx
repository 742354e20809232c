import { useTranslation } from "react-i18next";
import { useSession } from "../lib/services.tsx";
import { NavigationLink } from "./navigation-link.tsx";
import classes from "./navigation.module.css";
import { findPage, pages } from "./pages.ts";

/** What everybody uses, what is one's own, and the door to the administration. */
export function MainNavigation() {
  const { t } = useTranslation("shell");
  const session = useSession();
  const shown = pages.filter(
    ({ section }) => section === "main" || (section === "mine" && session !== undefined),
  );
  const administration = session?.isAdmin === true ? findPage("checklist") : undefined;
  return (
    <nav aria-label={t("navigation.main")}>
      <ul className={classes.row}>
        {shown.map((page) => (
          <NavigationLink key={page.path} page={page} />
        ))}
        {administration && <NavigationLink page={administration} isDoor />}
      </ul>
    </nav>
  );
}
