import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { historyRanges, type HistoryRange, type NodeHistory } from "../../shared/api/stats.ts";
import { CardSkeleton } from "../components/card-skeleton.tsx";
import { ErrorNotice } from "../components/error-notice.tsx";
import { HistoryChart } from "../components/history-chart.tsx";
import { Section } from "../components/section.tsx";
import { useFormat } from "../lib/use-format.ts";
import classes from "./my-nodes.module.css";
import { useNodeHistory } from "./queries.ts";

/** How a node was: the last day, month or year. */
export function NodeHistorySection({ id }: { id: number }) {
  const { t } = useTranslation("my-nodes");
  const [range, setRange] = useState<HistoryRange>("24h");
  const history = useNodeHistory(id, range);
  return (
    <Section
      title={t("history.title")}
      actions={
        <SegmentedControl
          aria-label={t("history.range")}
          value={range}
          onChange={(value) => setRange(value as HistoryRange)}
          data={historyRanges.map((value) => ({ value, label: t(`history.ranges.${value}`) }))}
        />
      }
    >
      {history.error && !history.data && (
        <ErrorNotice
          title={t("history.failed")}
          error={history.error}
          onRetry={() => void history.refetch()}
        />
      )}
      {history.isPending && <CardSkeleton height={300} />}
      {history.data && <Charts history={history.data} />}
    </Section>
  );
}

function Charts({ history: { points, step_seconds: step } }: { history: NodeHistory }) {
  const { t } = useTranslation("my-nodes");
  const format = useFormat();
  const pick = (value: (point: (typeof points)[number]) => number) =>
    points.map((point) => ({ time: Date.parse(point.at), value: value(point) }));
  const stepMs = step * 1000;
  return (
    <div className={classes.charts}>
      <HistoryChart
        label={t("bandwidth")}
        points={pick(({ bandwidth }) => bandwidth)}
        stepMs={stepMs}
        format={(value) => format.bandwidth(value)}
      />
      <HistoryChart
        label={t("connections")}
        points={pick(({ connections }) => connections)}
        stepMs={stepMs}
        format={(value) => format.count(value)}
      />
      <HistoryChart
        label={t(`history.traffic.${step}` as "history.traffic.60")}
        points={pick(({ traffic }) => traffic)}
        stepMs={stepMs}
        tone="second"
        format={(value) => format.traffic(value)}
      />
      <HistoryChart
        label={t("history.uptime")}
        points={pick(({ uptime }) => uptime)}
        stepMs={stepMs}
        largest={1}
        tone="second"
        format={(value) => format.share(value)}
      />
    </div>
  );
}
