import { randomBytes } from "node:crypto";
import type { NodeRecord } from "./node.ts";
import { SlotTable } from "./slot-table.ts";
import { TextHash } from "./text-hash.ts";

/** No key is longer: what a report names beyond this is not looked for. */
const LONGEST_KEY = 1024;

/** The words of every node by slot, and the way from owner and name to the slot. */
export class NodeTexts {
  readonly names: string[] = [];
  readonly regionDetails: string[] = [];
  /** JSON arrays of `{ type, ip, port }`. */
  readonly connections: string[] = [];
  /** Comma-separated. */
  readonly tags: string[] = [];
  /** Lower-case addresses of the owners. */
  readonly emailKeys: string[] = [];
  readonly #table = new SlotTable();
  readonly #hash = new TextHash(randomBytes(8));

  reserve(count: number): void {
    this.#table.reserve(count);
  }

  find(emailKey: string, name: string): number | undefined {
    if (emailKey.length + name.length > LONGEST_KEY) return undefined;
    const hash = this.#hash.of(emailKey, name);
    let cell = this.#table.first(hash);
    while (cell !== -1) {
      const slot = this.#table.slotAt(cell);
      if (this.names[slot] === name && this.emailKeys[slot] === emailKey) return slot;
      cell = this.#table.next(hash, cell);
    }
    return undefined;
  }

  /** Takes a slot into use. @param emailKey the same string object for all nodes of an owner */
  enter(slot: number, emailKey: string, record: NodeRecord): void {
    this.emailKeys[slot] = emailKey;
    this.names[slot] = record.name;
    this.tags[slot] = "";
    this.#table.add(this.#hash.of(emailKey, record.name), slot);
  }

  /** Everything but the tags. */
  write(slot: number, record: NodeRecord): void {
    if (this.names[slot] !== record.name) {
      this.#table.remove(this.#hashOf(slot), slot);
      this.names[slot] = record.name;
      this.#table.add(this.#hashOf(slot), slot);
    }
    this.regionDetails[slot] = record.regionDetail;
    this.connections[slot] = JSON.stringify(record.connections);
  }

  remove(slot: number): void {
    this.#table.remove(this.#hashOf(slot), slot);
    for (const texts of [this.names, this.regionDetails, this.connections, this.tags]) {
      texts[slot] = "";
    }
    this.emailKeys[slot] = "";
  }

  #hashOf(slot: number): number {
    return this.#hash.of(this.emailKeys[slot] as string, this.names[slot] as string);
  }
}
