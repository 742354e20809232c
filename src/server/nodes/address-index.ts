import type { Connection, Transport } from "../../shared/api/nodes.ts";
import { SlotTable } from "./slot-table.ts";
import type { TextHash } from "./text-hash.ts";

/** A check speaks these; nothing asks for a node by another transport. */
const indexed: ReadonlySet<string> = new Set<Transport>(["TCP", "WS", "WSS"]);

/** A cell's value from here on is the number of a list; below, it is a slot. */
const FIRST_LIST = 2 ** 30;

/** A connection as JSON text or as values. */
type Connections = string | readonly Connection[];

/**
 * Which nodes say that they are reached at an address. Most addresses have one node: its slot stands
 * in the table itself. Only those that several share have a list, so that as many nodes as like may
 * name the same address without long searches. Connections that no check can use are left out.
 */
export class AddressIndex {
  readonly #table = new SlotTable();
  readonly #hash: TextHash;
  readonly #lists: number[][] = [];
  readonly #freeLists: number[] = [];

  constructor(hash: TextHash) {
    this.#hash = hash;
  }

  reserve(count: number): void {
    this.#table.reserve(count);
  }

  /** Slots that may have the connection, in no order: whoever asks compares their connections. */
  candidates(connection: Connection): readonly number[] {
    const cell = this.#table.first(this.#hashOf(connection));
    if (cell === -1) return [];
    const value = this.#table.slotAt(cell);
    return value < FIRST_LIST ? [value] : this.#listOf(value);
  }

  add(slot: number, connections: Connections): void {
    for (const hash of this.#hashes(connections)) {
      const cell = this.#table.first(hash);
      if (cell === -1) this.#table.add(hash, slot);
      else this.#share(cell, slot);
    }
  }

  /** `connections` are those that the slot was added with. */
  remove(slot: number, connections: Connections): void {
    for (const hash of this.#hashes(connections)) {
      const cell = this.#table.first(hash);
      if (cell === -1) continue;
      if (this.#table.slotAt(cell) >= FIRST_LIST) this.#unshare(cell, slot);
      else this.#table.remove(hash, slot);
    }
  }

  #share(cell: number, slot: number): void {
    const value = this.#table.slotAt(cell);
    if (value >= FIRST_LIST) {
      this.#listOf(value).push(slot);
      return;
    }
    const list = this.#freeLists.pop() ?? this.#lists.length;
    this.#lists[list] = [value, slot];
    this.#table.setSlot(cell, FIRST_LIST + list);
  }

  #unshare(cell: number, slot: number): void {
    const value = this.#table.slotAt(cell);
    const slots = this.#listOf(value);
    const at = slots.indexOf(slot);
    if (at === -1) return;
    const last = slots.pop() as number;
    if (at < slots.length) slots[at] = last;
    if (slots.length > 1) return;
    this.#table.setSlot(cell, slots[0] as number);
    this.#lists[value - FIRST_LIST] = [];
    this.#freeLists.push(value - FIRST_LIST);
  }

  #listOf(value: number): number[] {
    return this.#lists[value - FIRST_LIST] as number[];
  }

  /** Each once: a node may name an address twice, and different ones may share a hash. */
  #hashes(connections: Connections): Set<number> {
    const list =
      typeof connections === "string" ? (JSON.parse(connections) as Connection[]) : connections;
    const asked = list.filter(({ type }) => indexed.has(type));
    return new Set(asked.map((each) => this.#hashOf(each)));
  }

  #hashOf({ type, ip, port }: Connection): number {
    return this.#hash.of(ip, `${type}:${port}`);
  }
}
