/** Where a chart draws, in pixels, and what it shows there. */
export interface ChartFrame {
  width: number;
  height: number;
  /** ms since 1970 */
  from: number;
  to: number;
  /** The value at the top; the bottom is 0. */
  top: number;
}

/** Round numbers from 0 that cover `largest`, about `wanted` of them above 0. */
export function roundTicks(largest: number, wanted: number): number[] {
  if (!(largest > 0)) return [0, 1];
  const rough = largest / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough * 0.999_999) ?? 10) * power;
  const count = Math.ceil(largest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, n) => n * step);
}

export function toX({ from, to, width }: ChartFrame, time: number): number {
  return to === from ? 0 : ((time - from) / (to - from)) * width;
}

export function toY({ top, height }: ChartFrame, value: number): number {
  return height - (value / top) * height;
}

export interface ChartPoint {
  /** ms since 1970 */
  time: number;
  value: number;
}

/** Runs of points without a gap: points further apart than `gapMs` are not joined. */
export function splitAtGaps(points: readonly ChartPoint[], gapMs: number): ChartPoint[][] {
  const runs: ChartPoint[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && point.time - last.time <= gapMs) run.push(point);
    else runs.push([point]);
  }
  return runs;
}

/** The `d` of an SVG path through the points. */
export function toLine(frame: ChartFrame, points: readonly ChartPoint[]): string {
  return points
    .map(({ time, value }, n) => {
      const x = toX(frame, time).toFixed(1);
      return `${n === 0 ? "M" : "L"}${x} ${toY(frame, value).toFixed(1)}`;
    })
    .join("");
}

/** The `d` of the area between the line and the bottom. */
export function toArea(frame: ChartFrame, points: readonly ChartPoint[]): string {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return "";
  const right = toX(frame, last.time).toFixed(1);
  const left = toX(frame, first.time).toFixed(1);
  return `${toLine(frame, points)}L${right} ${frame.height}L${left} ${frame.height}Z`;
}

/** At most `wanted` of the points, each the mean of those it stands for. */
export function thin(points: readonly ChartPoint[], wanted: number): ChartPoint[] {
  const each = Math.ceil(points.length / wanted);
  if (each <= 1) return [...points];
  return Array.from({ length: Math.ceil(points.length / each) }, (_, n) => {
    const part = points.slice(n * each, (n + 1) * each);
    const sum = part.reduce((total, { value }) => total + value, 0);
    return { time: part[0]?.time ?? 0, value: sum / part.length };
  });
}

/** The index of the point closest to `time`; points are sorted. */
export function nearest(points: readonly ChartPoint[], time: number): number {
  const next = points.findIndex((each) => each.time >= time);
  if (next === -1) return points.length - 1;
  const before = points[next - 1];
  const after = points[next];
  return before && after && time - before.time < after.time - time ? next - 1 : next;
}
