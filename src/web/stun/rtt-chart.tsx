import { useTranslation } from "react-i18next";
import type { StunObservation } from "../../shared/api/stun.ts";
import { ChartGrid, gutterOf } from "../components/chart-grid.tsx";
import {
  roundTicks,
  toLine,
  toX,
  toY,
  type ChartFrame,
  type ChartPoint,
} from "../components/chart-scale.ts";
import { AXIS_PX, ChartTimes } from "../components/chart-times.tsx";
import { useWidth } from "../components/use-width.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./rtt-chart.module.css";

const HEIGHT_PX = 170;
/** Room below the lines for the marks of failures. */
const FAILURES_PX = 18;
const TICKS = 3;
/** Keeps the highest point off the edge. */
const HEADROOM = 1.05;
/** Servers that are told apart by colour; more are drawn like the last. */
const TONES = 4;

/** Round-trip times by server; a cross below for each probe without an answer. */
export function RttChart({ observations }: { observations: readonly StunObservation[] }) {
  const { t } = useTranslation("stun");
  const format = useFormat();
  const [element, width] = useWidth();
  const byTime = observations.toReversed();
  const servers = [...new Set(byTime.map(({ server }) => server))];
  const failures = byTime.filter(({ error }) => error !== null);
  const largest = byTime.reduce((top, { rtt_ms: ms }) => Math.max(top, ms ?? 0), 1);
  const ticks = roundTicks(largest * HEADROOM, TICKS);
  const times = byTime.map(({ at }) => Date.parse(at));
  const from = times[0] ?? 0;
  const gutter = gutterOf(ticks, (ms) => format.milliseconds(ms));
  const frame: ChartFrame = {
    width: Math.max(width - gutter, 1),
    height: HEIGHT_PX - AXIS_PX - FAILURES_PX,
    from,
    to: Math.max(times.at(-1) ?? 0, from + 1000),
    top: ticks.at(-1) ?? 1,
  };
  return (
    <figure className={classes.figure}>
      <Legend servers={servers} failures={failures.length} />
      <div ref={element} style={{ height: HEIGHT_PX }}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT_PX}
            className={classes.chart}
            role="img"
            aria-label={t("observations.chart", {
              from: format.dateTime(frame.from),
              to: format.dateTime(frame.to),
              largest: format.milliseconds(largest),
              count: failures.length,
            })}
          >
            <g transform={`translate(${gutter} 0)`}>
              <ChartGrid frame={frame} ticks={ticks} format={(ms) => format.milliseconds(ms)} />
              {servers.map((server, n) => (
                <g key={server} data-tone={Math.min(n, TONES - 1)}>
                  <Series frame={frame} points={pointsOf(byTime, server)} />
                </g>
              ))}
              {failures.map(({ at, server }) => (
                <Cross
                  key={`${at} ${server}`}
                  x={toX(frame, Date.parse(at))}
                  y={frame.height + FAILURES_PX / 2}
                />
              ))}
              <ChartTimes frame={frame} y={HEIGHT_PX - AXIS_PX} />
            </g>
          </svg>
        )}
      </div>
    </figure>
  );
}

function Legend({ servers, failures }: { servers: readonly string[]; failures: number }) {
  const { t } = useTranslation("stun");
  return (
    <figcaption className={classes.legend}>
      {servers.map((server, n) => (
        <span key={server} data-tone={Math.min(n, TONES - 1)}>
          <i aria-hidden /> {server}
        </span>
      ))}
      <span data-tone="failure">
        <i aria-hidden /> {t("observations.failures", { count: failures })}
      </span>
    </figcaption>
  );
}

function pointsOf(observations: readonly StunObservation[], server: string): ChartPoint[] {
  return observations.flatMap(({ server: other, at, rtt_ms: value }) =>
    other === server && value !== null ? [{ time: Date.parse(at), value }] : [],
  );
}

function Series({ frame, points }: { frame: ChartFrame; points: readonly ChartPoint[] }) {
  return (
    <>
      <path className={classes.line} d={toLine(frame, points)} />
      {points.map(({ time, value }) => (
        <circle
          key={time}
          className={classes.dot}
          cx={toX(frame, time)}
          cy={toY(frame, value)}
          r={1.8}
        />
      ))}
    </>
  );
}

function Cross({ x, y }: { x: number; y: number }) {
  return <path className={classes.cross} d={`M${x - 3} ${y - 3}l6 6m0 -6l-6 6`} />;
}
