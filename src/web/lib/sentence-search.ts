import type { Group } from "../locales/zh-CN/said/said.ts";
import type { Effort } from "./effort.ts";
import { PLACE, toSameCase, type SentencePattern } from "./sentence-pattern.ts";

export interface Entry {
  pattern: SentencePattern;
  translation: string;
}

export interface Index {
  /** Without places, by their text in lower case. */
  whole: ReadonlyMap<string, string>;
  /** The most particular first. */
  entries: readonly Entry[];
}

interface Found {
  text: string;
  /** Whether these are words of the other language and no value. */
  isSaid: boolean;
  /** How many characters stand in it as they were. */
  kept: number;
}

const HAN_END = /\p{Script=Han}$/u;
const HAN_START = /^\p{Script=Han}/u;

/** Looks one sentence up, and what stands at its places, as far as the effort reaches. */
export class SentenceSearch {
  readonly #groups: ReadonlyMap<Group, Index>;
  readonly #effort: Effort;
  readonly #known = new Map<string, Found | undefined>();

  constructor(groups: ReadonlyMap<Group, Index>, effort: Effort) {
    this.#groups = groups;
    this.#effort = effort;
  }

  look(text: string, group: Group): Found | undefined {
    if (!this.#effort.spend(text.length)) return undefined;
    const key = `${group} ${text}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#search(text, group));
    return this.#known.get(key);
  }

  /** Of all entries that fit, the one that says most of the text in the other language. */
  #search(text: string, group: Group): Found | undefined {
    const index = this.#groups.get(group);
    if (!index) throw new Error(`There is no group ${group}`);
    const lower = toSameCase(text);
    const whole = index.whole.get(lower);
    if (whole !== undefined) return { text: whole, isSaid: true, kept: 0 };
    let best: Found | undefined;
    for (const entry of index.entries) {
      if (!entry.pattern.frames(lower)) continue;
      if (!this.#effort.spend(text.length)) break;
      const found = this.#fill(entry, text, lower);
      if (found && (!best || found.kept < best.kept)) best = found;
    }
    return best ?? (group === "clause" ? this.look(text, "sentence") : undefined);
  }

  #fill({ pattern, translation }: Entry, text: string, lower: string): Found | undefined {
    const given = pattern.valuesIn(text, lower);
    if (!given) return undefined;
    const values = new Map<string, Found>();
    for (const [index, { name, group, mustBeKnown }] of pattern.places.entries()) {
      const value = given[index] ?? "";
      // The whole once more would be looked up for ever.
      const isWhole = value.length === text.length && group === "sentence";
      const said = group && !isWhole ? this.look(value, group) : undefined;
      if (mustBeKnown && said === undefined) return undefined;
      values.set(name, said ?? { text: value, isSaid: false, kept: value.length });
    }
    const kept = [...values.values()].reduce((sum, value) => sum + value.kept, 0);
    return { text: fillIn(translation, values), isSaid: true, kept };
  }
}

/** Between two words of the other language stands no space, beside a value as it was it does. */
function fillIn(translation: string, values: ReadonlyMap<string, Found>): string {
  let filled = "";
  let at = 0;
  let before: Found | undefined;
  for (const { 0: place, 1: name = "", index } of translation.matchAll(PLACE)) {
    const value = values.get(name);
    filled = join(filled, translation.slice(at, index), before?.isSaid);
    filled = join(filled, value?.text ?? "", value?.isSaid);
    before = value;
    at = index + place.length;
  }
  return join(filled, translation.slice(at), before?.isSaid);
}

function join(before: string, after: string, isSaid = false): string {
  const [end, start] = [before.trimEnd().slice(-2), after.trimStart().slice(0, 2)];
  const isSeam = isSaid && HAN_END.test(end) && HAN_START.test(start);
  return isSeam ? before.trimEnd() + after.trimStart() : before + after;
}
