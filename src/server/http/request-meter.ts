import type { App } from "./typed-app.ts";

/** Upper bounds of the duration buckets, in seconds. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const;

/** Notes one answer of a route. */
export type Observer = (status: number, durationMs: number) => void;

/** How one route answered with one status. */
export class RequestSeries {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** Answers per bucket, the last one for those slower than every bound. */
  readonly buckets = new Float64Array(durationBuckets.length + 1);
  seconds = 0;

  constructor(method: string, route: string, status: number) {
    this.method = method;
    this.route = route;
    this.status = status;
  }

  add(seconds: number): void {
    let bucket = 0;
    while (bucket < durationBuckets.length && seconds > (durationBuckets[bucket] as number)) {
      bucket++;
    }
    this.buckets[bucket] = (this.buckets[bucket] as number) + 1;
    this.seconds += seconds;
  }
}

/** Counts requests by route, method and status; cheap enough to stand on the hottest path. */
export class RequestMeter {
  readonly series: RequestSeries[] = [];
  readonly #observers = new Map<string, Observer>();

  /** `route` is the pattern, not the path, so that their number is bounded. */
  observer(method: string, route: string): Observer {
    const key = `${method} ${route}`;
    let observer = this.#observers.get(key);
    if (!observer) this.#observers.set(key, (observer = this.#newObserver(method, route)));
    return observer;
  }

  #newObserver(method: string, route: string): Observer {
    const byStatus: (RequestSeries | undefined)[] = [];
    return (status, durationMs) => {
      let series = byStatus[status];
      if (!series) {
        byStatus[status] = series = new RequestSeries(method, route, status);
        this.series.push(series);
      }
      series.add(durationMs / 1000);
    };
  }
}

/** Measures whatever goes through the router. */
export function measureRoutes(app: App, meter: RequestMeter): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    meter.observer(request.method, route)(reply.statusCode, reply.elapsedTime);
  });
}
