import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../lib/use-format.ts";
import { ChartDrawing } from "./chart-drawing.tsx";
import type { ChartPoint } from "./chart-scale.ts";
import { ChartTable } from "./chart-table.tsx";
import classes from "./history-chart.module.css";
import { useWidth } from "./use-width.ts";

interface HistoryChartProps {
  /** What is shown: "Bandwidth". */
  label: string;
  /** By time. */
  points: readonly ChartPoint[];
  /** Between two points. */
  stepMs: number;
  format: (value: number) => string;
  /** Where the value cannot be larger: 1 for a share. */
  largest?: number;
  tone?: "first" | "second";
  /** px */
  height?: number;
}

const HEIGHT_PX = 150;
const A_DAY_MS = 86_400_000;

/** One quantity over time; arrow keys walk along it, and a table says the same. */
export function HistoryChart(props: HistoryChartProps) {
  const { label, points, stepMs, format, largest, tone = "first", height = HEIGHT_PX } = props;
  const { t } = useTranslation();
  const numbers = useFormat();
  const id = useId();
  const [element, width] = useWidth();
  const [shown, setShown] = useState<number>();
  const last = points.at(-1);
  if (!last) return <p className={classes.none}>{t("chart.none")}</p>;

  const sayTime = (time: number): string =>
    stepMs >= A_DAY_MS ? numbers.date(new Date(time).toISOString()) : numbers.dayAndTime(time);
  const at = shown === undefined ? undefined : points[shown];
  return (
    <figure className={classes.figure} data-tone={tone}>
      <figcaption className={classes.caption} id={id}>
        <span>{label}</span>
        <span className={classes.said} role="status">
          {at
            ? `${sayTime(at.time)}: ${format(at.value)}`
            : t("chart.latest", { value: format(last.value) })}
        </span>
      </figcaption>
      <div ref={element} style={{ height }}>
        {width > 0 && (
          <ChartDrawing
            size={{ width, height }}
            points={points}
            stepMs={stepMs}
            format={format}
            largest={largest}
            labelledBy={id}
            shown={shown}
            onShow={setShown}
          />
        )}
      </div>
      <ChartTable label={label} points={points} sayTime={sayTime} format={format} />
    </figure>
  );
}
