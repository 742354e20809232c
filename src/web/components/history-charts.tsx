import type { ChartPoint } from "./chart-scale.ts";
import { HistoryChart } from "./history-chart.tsx";
import classes from "./history-charts.module.css";

interface Curve<Point> {
  label: string;
  pick: (point: Point) => number;
  format: (value: number) => string;
  tone?: "first" | "second";
}

interface HistoryChartsProps<Point> {
  /** By time; `at` is ISO 8601. */
  points: readonly Point[];
  stepMs: number;
  curves: readonly Curve<Point>[];
}

/** What was measured together, each in a chart of its own. */
export function HistoryCharts<Point extends { at: string }>(props: HistoryChartsProps<Point>) {
  const { points, stepMs, curves } = props;
  return (
    <div className={classes.charts}>
      {curves.map(({ label, pick, format, tone = "first" }) => (
        <HistoryChart
          key={label}
          label={label}
          points={points.map((point): ChartPoint => ({
            time: Date.parse(point.at),
            value: pick(point),
          }))}
          stepMs={stepMs}
          format={format}
          tone={tone}
        />
      ))}
    </div>
  );
}
