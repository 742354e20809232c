import { lazy, Suspense, type ComponentType } from "react";
import { useTranslation, getI18n } from "react-i18next";
import { Redirect, useLocation } from "wouter";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/page-skeleton.tsx";
import { useSession } from "../lib/services.tsx";
import { pages, type Page } from "./pages.ts";
import { signInAddress } from "./sign-in-address.ts";

interface RoutedPage {
  page: Page;
  Content: ComponentType;
}

/** All pages, each loaded when it is first shown. */
export const routedPages: readonly RoutedPage[] = pages.map((page) => ({
  page,
  Content: lazy(() => loadPage(page)),
}));

/** A page with what it needs, all at once. */
async function loadPage(page: Page): Promise<{ default: ComponentType }> {
  const [component] = await Promise.all([
    page.load(),
    getI18n().loadNamespaces([...page.words]),
    page.lean ? undefined : import("./full-styles.ts"),
  ]);
  return { default: component };
}

/** One page, for whom it is meant. */
export function PageRoute({ page, Content }: RoutedPage) {
  const session = useSession();
  const [path] = useLocation();
  if (page.access !== "everyone" && !session) return <Redirect to={signInAddress()} replace />;
  if (page.access === "administrator" && !session?.isAdmin) return <NotAllowed />;
  // What was typed, answered or made about one thing is not shown with the next, nor with the next
  // account that signs in.
  const owner = page.access === "everyone" ? "" : session?.email;
  return (
    <ErrorBoundary key={`${path} ${owner}`}>
      <Suspense fallback={<PageSkeleton />}>
        <Content />
      </Suspense>
    </ErrorBoundary>
  );
}

function NotAllowed() {
  const { t } = useTranslation("shell");
  return (
    <>
      <PageHeader title={t("notAllowed.title")} />
      <EmptyState title={t("notAllowed.what")}>{t("notAllowed.todo")}</EmptyState>
    </>
  );
}
