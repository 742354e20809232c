import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/clock.ts";

/** A finished stretch of a node's history. */
export interface HistoryBucket {
  /** Length in seconds: 60, 3600 or 86400. */
  span: number;
  at: number;
  /** Milliseconds of the bucket for which an online report stood. */
  upMs: number;
  /** Means over `upMs`. */
  bandwidth: number;
  connections: number;
  /** GB. */
  traffic: number;
}

/** What reports said from one moment to the next. */
export interface Stretch {
  from: number;
  to: number;
  bandwidth: number;
  connections: number;
}

const spans = [
  { ms: MINUTE_MS, seconds: 60 },
  { ms: HOUR_MS, seconds: 3600 },
  { ms: DAY_MS, seconds: 86_400 },
] as const;

/** Per span: start, up time, and the integrals of bandwidth, connections and traffic. */
const FIELDS = 5;
const START = 0;
const UP = 1;
const BANDWIDTH = 2;
const CONNECTIONS = 3;
const TRAFFIC = 4;

/**
 * The minute, hour and day of one node that are not over yet. Values are weighted by the time for
 * which they stood. A minute that ends is handed out and added to its hour, an hour to its day, so
 * nothing is ever read back to be summed.
 */
export class OpenHistory {
  readonly #sums: Float64Array;

  constructor(stored?: Uint8Array | null) {
    this.#sums = new Float64Array(spans.length * FIELDS);
    if (stored?.byteLength === this.#sums.byteLength) {
      new Uint8Array(this.#sums.buffer).set(stored);
    }
  }

  /** The form in which it is stored; native byte order. */
  toBytes(): Uint8Array {
    return new Uint8Array(this.#sums.buffer.slice(0));
  }

  /** Adds a stretch during which the node was up. */
  addStretch(stretch: Stretch, emit: (bucket: HistoryBucket) => void): void {
    let from = stretch.from;
    while (from < stretch.to) {
      this.#moveTo(0, from, emit);
      const end = (this.#sums[START] as number) + MINUTE_MS;
      const length = Math.min(stretch.to, end) - from;
      if (length <= 0) return;
      this.#add(UP, length);
      this.#add(BANDWIDTH, length * stretch.bandwidth);
      this.#add(CONNECTIONS, length * stretch.connections);
      from += length;
    }
  }

  addTraffic(at: number, traffic: number, emit: (bucket: HistoryBucket) => void): void {
    this.#moveTo(0, at, emit);
    this.#add(TRAFFIC, traffic);
  }

  /** The buckets that were not handed out, as if everything ended now. */
  open(): HistoryBucket[] {
    const buckets: HistoryBucket[] = [];
    const emit = (bucket: HistoryBucket) => buckets.push(bucket);
    const copy = new OpenHistory(this.toBytes());
    for (let level = 0; level < spans.length; level++) {
      if (copy.#isEmpty(level)) continue;
      emit(copy.#bucket(level));
      if (level + 1 < spans.length) copy.#carry(level, emit);
    }
    return buckets;
  }

  #add(field: number, amount: number): void {
    this.#sums[field] = (this.#sums[field] as number) + amount;
  }

  /** Closes what ended before `at`. A report from before the open bucket counts in it. */
  #moveTo(level: number, at: number, emit: (bucket: HistoryBucket) => void): void {
    const ms = (spans[level] as (typeof spans)[number]).ms;
    const start = at - (at % ms);
    const base = level * FIELDS;
    if (start <= (this.#sums[base + START] as number)) return;
    if (!this.#isEmpty(level)) {
      emit(this.#bucket(level));
      if (level + 1 < spans.length) this.#carry(level, emit);
    }
    this.#sums.fill(0, base, base + FIELDS);
    this.#sums[base + START] = start;
  }

  #carry(level: number, emit: (bucket: HistoryBucket) => void): void {
    const from = level * FIELDS;
    const to = from + FIELDS;
    this.#moveTo(level + 1, this.#sums[from + START] as number, emit);
    for (const field of [UP, BANDWIDTH, CONNECTIONS, TRAFFIC]) {
      this.#add(to + field, this.#sums[from + field] as number);
    }
  }

  #isEmpty(level: number): boolean {
    const base = level * FIELDS;
    return this.#sums[base + UP] === 0 && this.#sums[base + TRAFFIC] === 0;
  }

  #bucket(level: number): HistoryBucket {
    const base = level * FIELDS;
    const read = (field: number) => this.#sums[base + field] as number;
    const upMs = read(UP);
    return {
      span: (spans[level] as (typeof spans)[number]).seconds,
      at: read(START),
      upMs,
      bandwidth: upMs === 0 ? 0 : read(BANDWIDTH) / upMs,
      connections: upMs === 0 ? 0 : read(CONNECTIONS) / upMs,
      traffic: read(TRAFFIC),
    };
  }
}
