import type { KeyboardEvent, PointerEvent } from "react";
import {
  nearest,
  roundTicks,
  splitAtGaps,
  toArea,
  toLine,
  toX,
  toY,
  type ChartFrame,
  type ChartPoint,
} from "./chart-scale.ts";
import { ChartGrid, gutterOf } from "./chart-grid.tsx";
import { AXIS_PX, ChartTimes } from "./chart-times.tsx";
import classes from "./history-chart.module.css";

interface ChartDrawingProps {
  /** px */
  size: { width: number; height: number };
  /** At least one. */
  points: readonly ChartPoint[];
  stepMs: number;
  format: (value: number) => string;
  largest: number | undefined;
  /** The id of what names it. */
  labelledBy: string;
  /** The index of the point that is pointed at. */
  shown: number | undefined;
  onShow: (index: number | undefined) => void;
}

const MAX_GAP_STEPS = 1.5;
const TICKS = 3;

/** The lines of a chart, and the one that follows the pointer and the arrow keys. */
export function ChartDrawing(props: ChartDrawingProps) {
  const { size, points, stepMs, format, labelledBy, shown, onShow } = props;
  const { ticks, gutter, frame } = toFrame(props);
  const at = shown === undefined ? undefined : points[shown];
  const walk = (event: KeyboardEvent): void => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -points.length, End: points.length };
    const by = steps[event.key as keyof typeof steps] as number | undefined;
    if (by === undefined) return;
    event.preventDefault();
    onShow(Math.min(Math.max((shown ?? points.length - 1) + by, 0), points.length - 1));
  };
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - gutter;
    onShow(nearest(points, frame.from + (x / frame.width) * (frame.to - frame.from)));
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it is walked along
    <svg
      {...size}
      className={classes.chart}
      role="img"
      aria-labelledby={labelledBy}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- by keys, too
      tabIndex={0}
      onKeyDown={walk}
      onBlur={() => onShow(undefined)}
      onPointerMove={point}
      onPointerLeave={() => onShow(undefined)}
    >
      <g transform={`translate(${gutter} 0)`}>
        <ChartGrid frame={frame} ticks={ticks} format={format} />
        {splitAtGaps(points, stepMs * MAX_GAP_STEPS).map((run) => (
          <g key={run[0]?.time}>
            <path className={classes.area} d={toArea(frame, run)} />
            <path className={classes.line} d={toLine(frame, run)} />
          </g>
        ))}
        <ChartTimes frame={frame} y={frame.height} />
        {at && <Cursor frame={frame} at={at} />}
      </g>
    </svg>
  );
}

function toFrame({ size, points, stepMs, largest, format }: ChartDrawingProps): {
  ticks: number[];
  /** px */
  gutter: number;
  frame: ChartFrame;
} {
  const highest = largest ?? points.reduce((top, { value }) => Math.max(top, value), 0);
  const ticks = roundTicks(highest, TICKS);
  const gutter = gutterOf(ticks, format);
  const from = points[0]?.time ?? 0;
  return {
    ticks,
    gutter,
    frame: {
      width: Math.max(size.width - gutter, 1),
      height: size.height - AXIS_PX,
      from,
      to: Math.max(points.at(-1)?.time ?? 0, from + stepMs),
      top: ticks.at(-1) ?? 1,
    },
  };
}

function Cursor({ frame, at }: { frame: ChartFrame; at: ChartPoint }) {
  const x = toX(frame, at.time);
  return (
    <g>
      <line className={classes.cursor} x1={x} x2={x} y2={frame.height} />
      <circle className={classes.dot} cx={x} cy={toY(frame, at.value)} r={4} />
    </g>
  );
}
