import { useFormat } from "../lib/use-format.ts";
import { toX, type ChartFrame } from "./chart-scale.ts";
import classes from "./history-chart.module.css";
import { roundTimes } from "./round-times.ts";

/** What the times take below the lines, px. */
export const AXIS_PX = 20;

const PX_PER_TIME = 90;
/** Closer to an end than this, a time ends or begins there. */
const HALF_TIME_PX = 30;
/** Of more than this, days are written, and not times. */
const TWO_DAYS_MS = 2 * 86_400_000;

/** Round times along the bottom, of which a mark at the line says where each is. */
export function ChartTimes({ frame, y }: { frame: ChartFrame; y: number }) {
  const numbers = useFormat();
  const { from, to, width } = frame;
  return roundTimes(from, to, Math.floor(width / PX_PER_TIME)).map((time) => {
    const x = toX(frame, time);
    return (
      <g key={time}>
        <line className={classes.grid} x1={x} x2={x} y1={y} y2={y + 4} />
        <text
          className={classes.tick}
          x={x}
          y={y + AXIS_PX - 5}
          textAnchor={x < HALF_TIME_PX ? "start" : x > width - HALF_TIME_PX ? "end" : "middle"}
        >
          {to - from > TWO_DAYS_MS ? numbers.day(time) : numbers.time(time)}
        </text>
      </g>
    );
  });
}
