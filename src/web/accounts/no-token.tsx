import { useTranslation } from "react-i18next";
import { EmptyState } from "../components/empty-state.tsx";
import { PageHeader } from "../components/page-header.tsx";

/** For a link out of a mail that has lost its end. */
export function NoToken() {
  const { t } = useTranslation("accounts");
  return (
    <>
      <PageHeader title={t("noToken.title")} />
      <EmptyState title={t("noToken.what")}>{t("noToken.todo")}</EmptyState>
    </>
  );
}
