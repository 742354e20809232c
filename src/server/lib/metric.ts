import { Counter, Gauge } from "prom-client";

/** A gauge that is read whenever somebody asks for it. */
export function gaugeOf(name: string, help: string, read: () => number): Gauge {
  const collect = function (this: Gauge): void {
    this.set(read());
  };
  return new Gauge({ name, help, registers: [], collect });
}

/** A counter of what is counted elsewhere. */
export function counterOf(name: string, help: string, read: () => number): Counter {
  const collect = function (this: Counter): void {
    this.reset();
    this.inc(read());
  };
  return new Counter({ name, help, registers: [], collect });
}

/** What is counted elsewhere by a label of few values. */
export function countersOf(
  name: string,
  help: string,
  label: string,
  read: () => Readonly<Record<string, number>>,
): Counter {
  const collect = function (this: Counter): void {
    this.reset();
    for (const [value, count] of Object.entries(read())) this.inc({ [label]: value }, count);
  };
  return new Counter({ name, help, labelNames: [label], registers: [], collect });
}
