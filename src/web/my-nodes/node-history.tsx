import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryRange } from "../../shared/api/stats.ts";
import { HistorySection } from "../components/history-section.tsx";
import { NodeHistoryCharts } from "../components/node-history-charts.tsx";
import { useNodeHistory } from "./queries.ts";

/** How a node was: the last day, month or year. */
export function NodeHistorySection({ id }: { id: number }) {
  const { t } = useTranslation("my-nodes");
  const [range, setRange] = useState<HistoryRange>("24h");
  const query = useNodeHistory(id, range);
  return (
    <HistorySection
      title={t("history.title")}
      failed={t("history.failed")}
      height={420}
      range={range}
      onRange={setRange}
      query={query}
    >
      {(history) => <NodeHistoryCharts history={history} />}
    </HistorySection>
  );
}
