import { useTranslation } from "react-i18next";
import type { NodeHistory } from "../../shared/api/stats.ts";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";
import { HistoryCharts } from "./history-charts.tsx";
import { toKnownPoints, toUptimePieces } from "./uptime-pieces.ts";
import { UptimeStrip } from "./uptime-strip.tsx";

/** Uptime, bandwidth, connections and traffic of one node. */
export function NodeHistoryCharts({ history }: { history: NodeHistory }) {
  const { t } = useTranslation();
  const format = useFormat();
  const stepMs = history.step_seconds * 1000;
  const points = toKnownPoints(history, useNow(stepMs));
  return (
    <>
      <UptimeStrip pieces={toUptimePieces(points)} />
      <HistoryCharts
        points={points}
        stepMs={stepMs}
        curves={[
          {
            label: t("history.bandwidth"),
            pick: ({ bandwidth }) => bandwidth,
            format: (value) => format.bandwidth(value),
          },
          {
            label: t("history.connections"),
            pick: ({ connections }) => connections,
            format: (value) => format.precise(value),
            tone: "second",
          },
          {
            label: t("history.traffic"),
            pick: ({ traffic }) => traffic,
            format: (value) => format.traffic(value),
          },
        ]}
      />
    </>
  );
}
