import { formatHostPort, type HostPort } from "../lib/host-port.ts";

interface Record {
  /** How long its last connection stood; undefined while it is untried. */
  stoodMs: number | undefined;
  failures: number;
}

function merit({ stoodMs = Number.MAX_VALUE }: Record): number {
  return stoodMs;
}

/** Remembers how well each host keeps connections open. */
export class KeepAliveHosts {
  readonly #records = new Map<HostPort, Record>();

  constructor(hosts: readonly HostPort[]) {
    for (const host of hosts) this.#records.set(host, { stoodMs: undefined, failures: 0 });
  }

  /** The most promising first: those that failed least, untried ones, then those that stood longest. */
  inOrder(): HostPort[] {
    return [...this.#records]
      .toSorted(([, a], [, b]) => a.failures - b.failures || merit(b) - merit(a))
      .map(([host]) => host);
  }

  failed(host: HostPort): void {
    this.#update(host, ({ stoodMs, failures }) => ({ stoodMs, failures: failures + 1 }));
  }

  ended(host: HostPort, stoodMs: number): void {
    this.#update(host, () => ({ stoodMs, failures: 0 }));
  }

  #update(host: HostPort, change: (record: Record) => Record): void {
    const record = this.#records.get(host);
    if (!record) throw new Error(`${formatHostPort(host)} is not listed`);
    this.#records.set(host, change(record));
  }
}
