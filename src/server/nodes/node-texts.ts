import { randomBytes } from "node:crypto";
import type { Connection } from "../../shared/api/nodes.ts";
import { AddressIndex } from "./address-index.ts";
import type { NodeRecord } from "./node.ts";
import { SlotTable } from "./slot-table.ts";
import { TextHash } from "./text-hash.ts";

/** No key is longer: what a report names beyond this is not looked for. */
const LONGEST_KEY = 1024;

/** The words of every node by slot, and the way from owner and name to the slot. */
export class NodeTexts {
  readonly names: string[] = [];
  readonly regionDetails: string[] = [];
  /**
   * The settings that a query's answer shows, as members of a JSON object from `node_name` on: put
   * into words when they change and not at each answer.
   */
  readonly settings: string[] = [];
  /** Comma-separated. */
  readonly tags: string[] = [];
  /** Lower-case addresses of the owners. */
  readonly emailKeys: string[] = [];
  readonly #table = new SlotTable();
  readonly #hash = new TextHash(randomBytes(8));
  readonly #addresses = new AddressIndex(this.#hash);

  reserve(count: number): void {
    this.#table.reserve(count);
    this.#addresses.reserve(count);
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

  /**
   * The slots of the nodes that have this connection, spelled as it is stored. `isWanted` is asked
   * before the costly comparison.
   */
  *slotsAt(connection: Connection, isWanted: (slot: number) => boolean): Iterable<number> {
    for (const slot of this.#addresses.candidates(connection)) {
      if (isWanted(slot) && this.#has(slot, connection)) yield slot;
    }
  }

  #has(slot: number, { type, ip, port }: Connection): boolean {
    return this.connectionsOf(slot).some(
      (each) => each.ip === ip && each.port === port && each.type === type,
    );
  }

  /** Takes a slot into use. @param emailKey the same string object for all nodes of an owner */
  enter(slot: number, emailKey: string, record: NodeRecord): void {
    this.emailKeys[slot] = emailKey;
    this.names[slot] = record.name;
    this.tags[slot] = "";
    this.settings[slot] = "";
    this.#table.add(this.#hash.of(emailKey, record.name), slot);
  }

  /** Read from the words: not for hot paths. */
  connectionsOf(slot: number): Connection[] {
    if (this.settings[slot] === "") return [];
    const shown = JSON.parse(`{${this.settings[slot]}}`) as { connections: Connection[] };
    return shown.connections;
  }

  /** Everything but the tags by themselves. */
  write(slot: number, record: NodeRecord): void {
    if (this.names[slot] !== record.name) {
      this.#table.remove(this.#hashOf(slot), slot);
      this.names[slot] = record.name;
      this.#table.add(this.#hashOf(slot), slot);
    }
    this.regionDetails[slot] = record.regionDetail;
    const settings = settingsText(record);
    if (settings === this.settings[slot]) return;
    this.#addresses.remove(slot, this.connectionsOf(slot));
    this.#addresses.add(slot, record.connections);
    this.settings[slot] = settings;
  }

  remove(slot: number): void {
    this.#table.remove(this.#hashOf(slot), slot);
    this.#addresses.remove(slot, this.connectionsOf(slot));
    for (const texts of [this.names, this.regionDetails, this.settings, this.tags]) {
      texts[slot] = "";
    }
    this.emailKeys[slot] = "";
  }

  #hashOf(slot: number): number {
    return this.#hash.of(this.emailKeys[slot] as string, this.names[slot] as string);
  }
}

function settingsText(record: NodeRecord): string {
  const shown = JSON.stringify({
    node_name: record.name,
    region_type: record.regionType,
    region_detail: record.regionDetail,
    connections: record.connections,
    max_connections: record.maxConnections,
    max_traffic: record.maxTraffic,
    tags: record.tags,
    allow_relay: record.allowRelay ? 1 : 0,
  });
  return shown.slice(1, -1);
}
