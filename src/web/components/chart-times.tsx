import { useFormat } from "../lib/use-format.ts";
import type { ChartFrame } from "./chart-scale.ts";
import classes from "./history-chart.module.css";

/** What the times take below the lines, px. */
export const AXIS_PX = 20;

const PX_PER_TIME = 130;
const AN_HOUR_MS = 3_600_000;

/** Times along the bottom, at both ends and between. */
export function ChartTimes({ frame, stepMs }: { frame: ChartFrame; stepMs: number }) {
  const numbers = useFormat();
  const { from, to, width, height } = frame;
  const parts = Math.max(1, Math.floor(width / PX_PER_TIME));
  return Array.from({ length: parts + 1 }, (_, n) => {
    const time = from + ((to - from) * n) / parts;
    return (
      <text
        key={time}
        className={classes.tick}
        x={(width * n) / parts}
        y={height + AXIS_PX - 5}
        textAnchor={n === 0 ? "start" : n === parts ? "end" : "middle"}
      >
        {stepMs >= AN_HOUR_MS ? numbers.day(time) : numbers.time(time)}
      </text>
    );
  });
}
