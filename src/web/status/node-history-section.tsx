import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryRange } from "../../shared/api/stats.ts";
import { HistorySection } from "../components/history-section.tsx";
import { NodeHistoryCharts } from "../components/node-history-charts.tsx";
import { usePublicNodeHistory } from "./queries.ts";

/** How a node has been. */
export function NodeHistorySection({ id }: { id: string }) {
  const { t } = useTranslation("status");
  const [range, setRange] = useState<HistoryRange>("24h");
  const query = usePublicNodeHistory(id, range);
  return (
    <HistorySection
      title={t("history.title")}
      height={420}
      range={range}
      onRange={setRange}
      query={query}
    >
      {(history) => <NodeHistoryCharts history={history} />}
    </HistorySection>
  );
}
