import { Activity, lazy, Suspense, useState, type ComponentType } from "react";
import { useTranslation, getI18n } from "react-i18next";
import { Redirect, useLocation } from "wouter";
import { EmptyState } from "../components/empty-state.tsx";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/page-skeleton.tsx";
import { useServices, useSession } from "../lib/services.tsx";
import { pages, type Page } from "./pages.ts";
import { signInAddress } from "./sign-in-address.ts";

const SignInAgain = lazy(async () => {
  const [{ SignInCard }] = await Promise.all([
    import("../accounts/sign-in-card.tsx"),
    getI18n().loadNamespaces(["accounts"]),
  ]);
  return { default: SignInCard };
});

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
  return page.access === "everyone" ? (
    <PageItself Content={Content} />
  ) : (
    <OwnPage page={page} Content={Content} />
  );
}

function PageItself({ Content }: Pick<RoutedPage, "Content">) {
  const [path] = useLocation();
  return (
    // What was typed, answered or made about one thing is not shown with the next.
    <ErrorBoundary key={path}>
      <Suspense fallback={<PageSkeleton />}>
        <Content />
      </Suspense>
    </ErrorBoundary>
  );
}

/**
 * A page of whoever is signed in. When the session expires it is out of sight and asks for nothing,
 * but what was typed into it is there when the same account signs in again.
 */
function OwnPage({ page, Content }: RoutedPage) {
  const session = useSession();
  const { sessions } = useServices();
  const [owner, setOwner] = useState(session?.email);
  if (session && session.email !== owner) setOwner(session.email);
  const isKept = owner !== undefined && sessions.end === "expired";
  if (!session && !isKept) return <Redirect to={signInAddress()} replace />;
  if (session && page.access === "administrator" && !session.isAdmin) return <NotAllowed />;
  return (
    <>
      {!session && (
        <Suspense fallback={<PageSkeleton />}>
          <SignInAgain />
        </Suspense>
      )}
      <Activity key={owner} mode={session ? "visible" : "hidden"}>
        <PageItself Content={Content} />
      </Activity>
    </>
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
