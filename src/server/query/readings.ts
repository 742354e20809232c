/** Room for the readings of all nodes while they are weighed; one for all selectors. */
export class Readings {
  capacities = new Float64Array(0);
  loads = new Float64Array(0);

  /** Makes room for `length` nodes. What was there may be gone. */
  hold(length: number): void {
    if (length <= this.capacities.length) return;
    const held = Math.max(length, this.capacities.length * 2);
    this.capacities = new Float64Array(held);
    this.loads = new Float64Array(held);
  }
}
