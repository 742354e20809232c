import { useTranslation } from "react-i18next";
import { PageHeader } from "../components/page-header.tsx";
import { FleetHistorySection } from "./fleet-history-section.tsx";
import { NodeList } from "./node-list.tsx";
import { Totals } from "./totals.tsx";

/** What everybody may know: which nodes there are, and how they are. */
export function StatusPage() {
  const { t } = useTranslation("status");
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <Totals />
      <FleetHistorySection />
      <NodeList />
    </>
  );
}
