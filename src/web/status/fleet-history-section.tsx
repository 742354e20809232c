import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { HistoryRange } from "../../shared/api/stats.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import type { ChartPoint } from "../components/chart-scale.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { HistoryChart } from "../components/history-chart.tsx";
import { RangeChoice } from "../components/range-choice.tsx";
import { Section } from "../components/section.tsx";
import { useFormat } from "../lib/use-format.ts";
import classes from "./charts.module.css";
import { useFleetHistory } from "./queries.ts";

/** How the whole fleet has been. */
export function FleetHistorySection() {
  const { t } = useTranslation("status");
  const format = useFormat();
  const [range, setRange] = useState<HistoryRange>("24h");
  const { data: history, error, refetch } = useFleetHistory(range);
  const pick = (value: "bandwidth" | "online_nodes"): ChartPoint[] =>
    (history?.points ?? []).map((point) => ({ time: Date.parse(point.at), value: point[value] }));
  const stepMs = (history?.step_seconds ?? 0) * 1000;
  return (
    <Section title={t("history.title")} actions={<RangeChoice range={range} onChange={setRange} />}>
      {history ? (
        <div className={classes.charts}>
          <HistoryChart
            label={t("history.bandwidth")}
            points={pick("bandwidth")}
            stepMs={stepMs}
            format={(value) => format.bandwidth(value)}
          />
          <HistoryChart
            label={t("history.online")}
            points={pick("online_nodes")}
            stepMs={stepMs}
            format={(value) => format.precise(value)}
            tone="second"
          />
        </div>
      ) : error ? (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <CardSkeleton height={200} />
      )}
    </Section>
  );
}
