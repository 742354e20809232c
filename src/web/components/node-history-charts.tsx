import { useTranslation } from "react-i18next";
import type { NodeHistory } from "../../shared/api/stats.ts";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";
import type { ChartPoint } from "./chart-scale.ts";
import { HistoryChart } from "./history-chart.tsx";
import classes from "./node-history-charts.module.css";
import { toKnownPoints, toUptimePieces } from "./uptime-pieces.ts";
import { UptimeStrip } from "./uptime-strip.tsx";

/** Uptime, bandwidth, connections and traffic of one node. */
export function NodeHistoryCharts({ history }: { history: NodeHistory }) {
  const { t } = useTranslation();
  const format = useFormat();
  const stepMs = history.step_seconds * 1000;
  const points = toKnownPoints(history, useNow(stepMs));
  const pick = (value: "bandwidth" | "connections" | "traffic"): ChartPoint[] =>
    points.map((point) => ({ time: Date.parse(point.at), value: point[value] }));
  return (
    <>
      <UptimeStrip pieces={toUptimePieces(points)} />
      <div className={classes.charts}>
        <HistoryChart
          label={t("history.bandwidth")}
          points={pick("bandwidth")}
          stepMs={stepMs}
          format={(value) => format.bandwidth(value)}
        />
        <HistoryChart
          label={t("history.connections")}
          points={pick("connections")}
          stepMs={stepMs}
          format={(value) => format.precise(value)}
          tone="second"
        />
        <HistoryChart
          label={t("history.traffic")}
          points={pick("traffic")}
          stepMs={stepMs}
          format={(value) => format.traffic(value)}
        />
      </div>
    </>
  );
}
