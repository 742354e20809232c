import { Gauge, type Metric } from "prom-client";

export function eventMetrics(streams: { open: number }): Metric[] {
  return [
    new Gauge({
      name: "waypost_event_streams",
      help: "Readers of events that are connected now.",
      registers: [],
      collect() {
        this.set(streams.open);
      },
    }),
  ];
}
