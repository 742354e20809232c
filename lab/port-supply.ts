/** Mapped ports lie above the ports that home hosts use by themselves. */
const FIRST = 20_000;
const LAST = 59_999;
/** Mappings that a NAT can hold at a time. */
const AT_A_TIME = 4_096;

/** The ports that home hosts use when they do not choose one. */
export const HOME_PORTS = "10000 19999";

/** Mapped ports in random order. */
export class PortSupply {
  #left: number[] = [];

  /** @returns ports none of which was among the ones returned before, as long as there are some */
  next(): readonly number[] {
    if (this.#left.length < AT_A_TIME) this.#left = shuffled(FIRST, LAST);
    return this.#left.splice(0, AT_A_TIME);
  }
}

function shuffled(first: number, last: number): number[] {
  const ports = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  for (let index = ports.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [ports[index], ports[other]] = [ports[other] as number, ports[index] as number];
  }
  return ports;
}
