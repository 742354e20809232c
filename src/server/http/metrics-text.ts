import { durationBuckets, type RequestMeter, type RequestSeries } from "./request-meter.ts";

const NAME = "waypost_http_request_duration_seconds";

/** The request durations in the Prometheus text format. */
export function requestDurations(meter: RequestMeter): string {
  const lines = [
    `# HELP ${NAME} Time from the headers of a request to its answer.`,
    `# TYPE ${NAME} histogram`,
  ];
  for (const series of meter.series) lines.push(...histogram(series));
  return lines.join("\n");
}

function histogram(series: RequestSeries): string[] {
  const labels = `method="${series.method}",route="${series.route}",status="${series.status}"`;
  const lines: string[] = [];
  let count = 0;
  for (const [at, added] of series.buckets.entries()) {
    count += added;
    lines.push(`${NAME}_bucket{${labels},le="${durationBuckets[at] ?? "+Inf"}"} ${count}`);
  }
  lines.push(`${NAME}_sum{${labels}} ${series.seconds}`, `${NAME}_count{${labels}} ${count}`);
  return lines;
}
