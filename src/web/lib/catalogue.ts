import { groups, type Group, type Said } from "../locales/zh-CN/said/said.ts";
import { Effort } from "./effort.ts";
import { SentencePattern, toSameCase } from "./sentence-pattern.ts";
import { SentenceSearch, type Entry, type Index } from "./sentence-search.ts";

/** Characters that are read to find what a sentence means: some milliseconds. */
const MOST_READ = 2_000_000;
/** Characters of the sentences that are kept with what they mean. */
const MOST_KNOWN = 1_000_000;

/** Finds what a sentence of the service means in another language. */
export class Catalogue {
  readonly #groups: ReadonlyMap<Group, Index>;
  /** The same few are said again and again. */
  readonly #known = new Map<string, string | undefined>();
  #knownCharacters = 0;

  constructor(parts: readonly Said[]) {
    this.#groups = new Map(groups.map((group) => [group, toIndex(parts, group)]));
  }

  /**
   * What the service says may hold what others have answered to it, and as much of that as they like:
   * what is not found by some effort stays as it is.
   * @returns undefined for what the service is not known to say
   */
  find(sentence: string): string | undefined {
    if (!this.#known.has(sentence)) {
      const search = new SentenceSearch(this.#groups, new Effort(MOST_READ));
      const found = search.look(sentence, "sentence");
      this.#remember(sentence, found?.text);
    }
    return this.#known.get(sentence);
  }

  #remember(sentence: string, meaning: string | undefined): void {
    if (this.#knownCharacters > MOST_KNOWN) {
      this.#known.clear();
      this.#knownCharacters = 0;
    }
    this.#known.set(sentence, meaning);
    this.#knownCharacters += sentence.length + (meaning?.length ?? 0);
  }
}

function toIndex(parts: readonly Said[], group: Group): Index {
  const sayings = parts.flatMap((part) => Object.entries(part[group] ?? {}));
  const whole = new Map<string, string>();
  const entries: Entry[] = [];
  for (const [text, translation] of sayings) {
    const pattern = new SentencePattern(text);
    if (pattern.places.length === 0) whole.set(toSameCase(text), translation);
    else entries.push({ pattern, translation });
  }
  return { whole, entries: entries.toSorted((a, b) => b.pattern.weight - a.pattern.weight) };
}
