import type { Fleet } from "../nodes/fleet.ts";

interface Kept {
  name: string | undefined;
  detail: string | undefined;
  tags: string | undefined;
  /** All of it in lower case. */
  text: string;
}

/** What is looked through for words, kept in lower case until it changes. */
export class SearchTexts {
  readonly #texts: Fleet["texts"];
  readonly #kept: (Kept | undefined)[] = [];

  constructor({ texts }: Pick<Fleet, "texts">) {
    this.#texts = texts;
  }

  /** Whether each of the words, in lower case, stands in the name, the place or the tags. */
  hold(slot: number, words: readonly string[]): boolean {
    const text = this.#of(slot);
    return words.every((word) => text.includes(word));
  }

  #of(slot: number): string {
    const { names, regionDetails, tags: allTags } = this.#texts;
    const kept = this.#kept[slot];
    const name = names[slot];
    const detail = regionDetails[slot];
    const tags = allTags[slot];
    if (kept && kept.name === name && kept.detail === detail && kept.tags === tags) {
      return kept.text;
    }
    const text = `${name}\n${detail}\n${tags}`.toLowerCase();
    this.#kept[slot] = { name, detail, tags, text };
    return text;
  }
}
