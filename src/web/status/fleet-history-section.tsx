import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryRange } from "../../shared/api/stats.ts";
import { HistoryCharts } from "../components/history-charts.tsx";
import { HistorySection } from "../components/history-section.tsx";
import { useFormat } from "../lib/use-format.ts";
import { useFleetHistory } from "./queries.ts";

/** How the whole fleet has been. */
export function FleetHistorySection() {
  const { t } = useTranslation("status");
  const format = useFormat();
  const [range, setRange] = useState<HistoryRange>("24h");
  const query = useFleetHistory(range);
  return (
    <HistorySection
      title={t("history.title")}
      height={200}
      range={range}
      onRange={setRange}
      query={query}
    >
      {({ points, step_seconds: stepSeconds }) => (
        <HistoryCharts
          points={points}
          stepMs={stepSeconds * 1000}
          curves={[
            {
              label: t("history.bandwidth"),
              pick: ({ bandwidth }) => bandwidth,
              format: (value) => format.bandwidth(value),
            },
            {
              label: t("history.online"),
              pick: ({ online_nodes: online }) => online,
              format: (value) => format.precise(value),
              tone: "second",
            },
          ]}
        />
      )}
    </HistorySection>
  );
}
