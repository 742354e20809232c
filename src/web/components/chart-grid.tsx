import { toY, type ChartFrame } from "./chart-scale.ts";
import classes from "./history-chart.module.css";

/** Of a figure at the size of the ticks, at most. */
const PX_PER_LETTER = 6.6;
const GAP_PX = 8;

/** What the values take at the left of the lines, px. */
export function gutterOf(ticks: readonly number[], format: (value: number) => string): number {
  const letters = ticks.reduce((most, tick) => Math.max(most, format(tick).length), 1);
  return Math.ceil(letters * PX_PER_LETTER) + GAP_PX;
}

interface ChartGridProps {
  frame: ChartFrame;
  ticks: readonly number[];
  format: (value: number) => string;
}

/** A line for each round value, which stands at the left of it. */
export function ChartGrid({ frame, ticks, format }: ChartGridProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line className={classes.grid} x2={frame.width} y1={toY(frame, tick)} y2={toY(frame, tick)} />
      <text
        className={classes.tick}
        x={-GAP_PX}
        y={toY(frame, tick)}
        dominantBaseline={tick === frame.top ? "hanging" : "middle"}
        textAnchor="end"
      >
        {tick === 0 ? 0 : format(tick)}
      </text>
    </g>
  ));
}
