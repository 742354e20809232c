/** Failed checks in a row after which a node is left out. */
const FAILURES_TO_LEAVE_OUT = 3;
/** So many nodes that could be reached before and now cannot, with nobody reached in between … */
const LOST_TO_SUSPECT = 3;
/** … or more than this part of the nodes that report, and not fewer than three of them. */
const PART_TO_SUSPECT = 0.9;

interface Failing {
  /** Failed checks in a row that count. */
  failures: number;
  /** What of the node the failures belong to. */
  connections: string;
}

/** Told when a node becomes unhealthy or stops being so. */
export type HealthObserver = (id: number, isHealthy: boolean) => void;

/**
 * Judges nodes that report by what checks from here show. Three failed checks in a row make a node
 * unhealthy, one that reaches it makes it healthy. Where nobody can be reached any more, the likelier
 * cause is here: what failed since the last success does not count then, and what was known before
 * stands.
 */
export class HealthRule {
  readonly #observer: HealthObserver;
  /** The nodes whose last check failed. */
  readonly #failing = new Map<number, Failing>();
  /** What counted before, of nodes that failed since anybody was reached. */
  readonly #wave = new Map<number, number>();
  /** Nodes that failed since anybody was reached and had not failed before. */
  #lost = 0;
  #unhealthy = 0;
  #reporting = 0;

  constructor(observer: HealthObserver) {
    this.#observer = observer;
  }

  get unhealthy(): number {
    return this.#unhealthy;
  }

  get suspectsItself(): boolean {
    const { size } = this.#failing;
    if (this.#lost >= LOST_TO_SUSPECT) return true;
    return size >= LOST_TO_SUSPECT && size > PART_TO_SUSPECT * this.#reporting;
  }

  isHealthy(id: number): boolean {
    return (this.#failing.get(id)?.failures ?? 0) < FAILURES_TO_LEAVE_OUT;
  }

  /** @param reporting how many nodes that can be checked report now */
  countReporting(reporting: number): void {
    this.#reporting = reporting;
  }

  /** The node was reached, whether it reports or not. */
  reached(id: number): void {
    this.#wave.clear();
    this.#lost = 0;
    this.forget(id);
  }

  /** None of the connections of a node that reports could be reached. */
  failed(id: number, connections: string): void {
    const known = this.#failing.get(id);
    if (known && known.connections !== connections) this.forget(id);
    const failing = this.#failing.get(id) ?? { failures: 0, connections };
    const before = failing.failures;
    if (!this.#failing.has(id)) this.#lost++;
    if (!this.#wave.has(id)) this.#wave.set(id, before);
    this.#failing.set(id, failing);
    if (this.suspectsItself) this.#takeBack();
    else this.#count(id, before + 1);
  }

  /** Nothing is known of the node any more. */
  forget(id: number): void {
    this.#count(id, 0);
    this.#failing.delete(id);
    this.#wave.delete(id);
  }

  /** Forgets the nodes that failed and are not what they were: gone, silent, or elsewhere now. */
  sweep(isSame: (id: number, connections: string) => boolean): void {
    for (const [id, { connections }] of this.#failing) {
      if (!isSame(id, connections)) this.forget(id);
    }
  }

  #takeBack(): void {
    for (const [id, failures] of this.#wave) this.#count(id, failures);
    this.#wave.clear();
  }

  #count(id: number, failures: number): void {
    const failing = this.#failing.get(id);
    if (!failing) return;
    const wasHealthy = this.isHealthy(id);
    failing.failures = failures;
    const isHealthy = this.isHealthy(id);
    if (isHealthy === wasHealthy) return;
    this.#unhealthy += isHealthy ? -1 : 1;
    this.#observer(id, isHealthy);
  }
}
