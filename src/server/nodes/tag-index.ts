/** A tag's nodes. `version` moves whenever a node enters or leaves. */
export interface TaggedSlots {
  readonly slots: number[];
  version: number;
}

/** The form in which tags are compared: trimmed, without case. */
export function toTagKey(tag: string): string {
  return tag.trim().toLowerCase();
}

/** Which nodes carry which tag, so that a query by tag never has to look at all of them. */
export class TagIndex {
  readonly #byTag = new Map<string, TaggedSlots>();
  #versions = 0;

  /** The slots under a tag key, in no order; undefined when no node carries it. */
  find(key: string): TaggedSlots | undefined {
    return this.#byTag.get(key);
  }

  /** Each tag key with its slots. */
  entries(): Iterable<[key: string, tagged: TaggedSlots]> {
    return this.#byTag;
  }

  /** `tags` is the node's comma-separated list. */
  add(slot: number, tags: string): void {
    for (const key of keysOf(tags)) {
      let tagged = this.#byTag.get(key);
      if (!tagged) this.#byTag.set(key, (tagged = { slots: [], version: 0 }));
      tagged.slots.push(slot);
      // Never the same again, so that a tag that went and came back is seen to have changed.
      tagged.version = ++this.#versions;
    }
  }

  remove(slot: number, tags: string): void {
    for (const key of keysOf(tags)) {
      const tagged = this.#byTag.get(key);
      const at = tagged?.slots.indexOf(slot) ?? -1;
      if (!tagged || at === -1) continue;
      const last = tagged.slots.pop() as number;
      if (at < tagged.slots.length) tagged.slots[at] = last;
      tagged.version = ++this.#versions;
      if (tagged.slots.length === 0) this.#byTag.delete(key);
    }
  }
}

function keysOf(tags: string): Set<string> {
  if (tags === "") return noKeys;
  const keys = new Set(tags.split(",").map(toTagKey));
  keys.delete("");
  return keys;
}

const noKeys: Set<string> = new Set();
