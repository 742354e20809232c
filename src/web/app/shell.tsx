import { Suspense, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { PageSkeleton } from "../components/page-skeleton.tsx";
import { useSession } from "../lib/services.tsx";
import { AccountCorner } from "./account-corner.tsx";
import { AdminNavigation } from "./admin-navigation.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { MainNavigation } from "./main-navigation.tsx";
import { NoticesProvider } from "./notices.tsx";
import { SchemeSwitch } from "./scheme-switch.tsx";
import classes from "./shell.module.css";

/** What stands around every page. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={null}>
      <Frame>{children}</Frame>
    </Suspense>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const [path] = useLocation();
  const isAdmin = useSession()?.isAdmin === true;
  const hasSide = isAdmin && (path === "/admin" || path.startsWith("/admin/"));
  return (
    <NoticesProvider>
      <a className={classes.skip} href="#main">
        {t("skip")}
      </a>
      <Header />
      <div className={hasSide ? classes.withSide : classes.body}>
        {hasSide && (
          <aside className={classes.side}>
            <AdminNavigation />
          </aside>
        )}
        <main id="main" tabIndex={-1} className={classes.main}>
          <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
        </main>
      </div>
      <footer className={classes.footer}>
        <a href="/docs/">{t("api")}</a>
      </footer>
    </NoticesProvider>
  );
}

function Header() {
  const { t } = useTranslation("shell");
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const inAdmin = path === "/admin" || path.startsWith("/admin/");
  return (
    <header className={classes.header}>
      <div className={classes.bar}>
        <button
          type="button"
          className={classes.burger}
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label={t("menu")}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden />
        </button>
        <Link href={pagePaths.status} className={classes.name}>
          <Mark />
          Waypost
        </Link>
        <div
          id="navigation"
          className={classes.navigation}
          data-open={isOpen || undefined}
          onClick={() => setOpen(false)}
          onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
          role="presentation"
        >
          <MainNavigation />
          {inAdmin && (
            <div className={classes.narrowOnly}>
              <AdminNavigation />
            </div>
          )}
        </div>
        <div className={classes.corner}>
          <LanguageSwitch />
          <SchemeSwitch />
          <AccountCorner />
        </div>
      </div>
    </header>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden className={classes.mark}>
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <path
        d="M15 6.5h2V9h6.2l3 3-3 3H17v2h2v2.5h-2V26h-2v-6.500H8.800l-3-3 3-3H15z"
        className={classes.arrows}
      />
    </svg>
  );
}
