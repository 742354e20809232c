/** Numbers over the nodes that are neither expired nor switched off. */
export interface FleetTotals {
  readonly total: number;
  readonly online: number;
  readonly domestic: number;
  readonly overseas: number;
  /** Mbit/s over the online nodes. */
  readonly bandwidth: number;
  /** Over the online nodes. */
  readonly connections: number;
}

/** The totals, kept up to date by counting nodes in and out. */
export class RunningTotals implements FleetTotals {
  total = 0;
  online = 0;
  domestic = 0;
  overseas = 0;
  connections = 0;
  #bandwidth = 0;
  /** What `#bandwidth` has lost to rounding, so that years of reports do not make it drift. */
  #rest = 0;

  get bandwidth(): number {
    return this.#bandwidth;
  }

  /** Counts a node in (1) or out (-1). */
  count(sign: 1 | -1, overseas: boolean): void {
    this.total += sign;
    if (overseas) this.overseas += sign;
    else this.domestic += sign;
  }

  /** Counts what a node that is online carries in (1) or out (-1). */
  countOnline(sign: 1 | -1, bandwidth: number, connections: number): void {
    this.online += sign;
    this.connections += sign * connections;
    if (this.online === 0) this.#bandwidth = this.#rest = 0;
    else this.#addBandwidth(sign * bandwidth);
  }

  /** Knuth's two-sum: exact but for the rounding of the rest itself. */
  #addBandwidth(term: number): void {
    const sum = this.#bandwidth + term;
    const carried = sum - this.#bandwidth;
    const rest = this.#rest + (this.#bandwidth - (sum - carried)) + (term - carried);
    this.#bandwidth = sum + rest;
    this.#rest = rest - (this.#bandwidth - sum);
  }
}
