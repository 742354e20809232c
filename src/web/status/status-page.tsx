import { useTranslation } from "react-i18next";
import { PageHeader } from "../components/page-header.tsx";

/** What everybody may know: which nodes there are, and how they are. */
export function StatusPage() {
  const { t } = useTranslation("status");
  return <PageHeader title={t("title")} lead={t("lead")} />;
}
