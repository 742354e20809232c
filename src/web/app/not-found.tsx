import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { pagePaths } from "../../shared/pages.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";

/** For an address of which the app has no page. */
export function NotFound() {
  const { t } = useTranslation("shell");
  const action = (
    <Button component={Link} href={pagePaths.status}>
      {t("notFound.action")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("notFound.title")} />
      <EmptyState title={t("notFound.what", { path: location.pathname })} action={action}>
        {t("notFound.todo")}
      </EmptyState>
    </>
  );
}
