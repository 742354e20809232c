import type { Group } from "../locales/zh-CN/said/said.ts";

/** `{name}`, `{name@group}`, `{name@group!}`; not the `{{ name }}` of templates. */
export const PLACE = /\{(\w+)(?:@(\w+)(!)?)?\}/g;

export interface Place {
  name: string;
  /** In which the value is looked up; undefined: it stays. */
  group: Group | undefined;
  mustBeKnown: boolean;
}

/**
 * A sentence with places for values. It is compared without case, and in one walk through a text: a
 * regular expression would go back and forth, for minutes where the text is made for that.
 */
export class SentencePattern {
  readonly places: readonly Place[];
  /** Of what stands in the sentence itself. */
  readonly weight: number;
  readonly #head: string;
  /** Between each two places. */
  readonly #between: readonly string[];
  readonly #tail: string;

  constructor(sentence: string) {
    const matches = [...sentence.matchAll(PLACE)];
    const fixed: string[] = [];
    let at = 0;
    for (const { 0: place, index } of matches) {
      fixed.push(toSameCase(sentence.slice(at, index)));
      at = index + place.length;
    }
    const [head = "", ...between] = fixed;
    this.#head = head;
    this.#between = between;
    this.#tail = toSameCase(sentence.slice(at));
    this.weight = fixed.reduce((sum, { length }) => sum + length, this.#tail.length);
    this.places = matches.map(({ 1: name = "", 2: group, 3: mark }) => ({
      name,
      group: group as Group | undefined,
      mustBeKnown: mark !== undefined,
    }));
  }

  /** Whether the text begins and ends like it. @param lower the text by `toSameCase` */
  frames(lower: string): boolean {
    return (
      lower.length >= this.#head.length + this.#tail.length &&
      lower.startsWith(this.#head) &&
      lower.endsWith(this.#tail)
    );
  }

  /**
   * What stands at the places of a text that it frames, the first ones as short as they can be;
   * undefined when it does not fit.
   */
  valuesIn(text: string, lower: string): string[] | undefined {
    const end = text.length - this.#tail.length;
    const values: string[] = [];
    let from = this.#head.length;
    for (const fixed of this.#between) {
      const at = lower.indexOf(fixed, from);
      if (at === -1 || at + fixed.length > end) return undefined;
      values.push(text.slice(from, at));
      from = at + fixed.length;
    }
    return [...values, text.slice(from, end)];
  }
}

/** In lower case, and each character where it was. */
export function toSameCase(text: string): string {
  const lower = text.toLowerCase();
  // Hardly any letter becomes two.
  return lower.length === text.length
    ? lower
    : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
