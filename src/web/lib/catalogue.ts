import { groups, type Group, type Said } from "../locales/zh-CN/said/said.ts";

/** `{name}`, `{name@group}`, `{name@group!}`; not the `{{ name }}` of templates. */
const PLACE = /\{(\w+)(?:@(\w+)(!)?)?\}/g;

const HAN_END = /\p{Script=Han}$/u;
const HAN_START = /^\p{Script=Han}/u;

interface Place {
  name: string;
  /** In which the value is looked up; undefined: it stays. */
  group: Group | undefined;
  mustBeKnown: boolean;
}

interface Entry {
  pattern: RegExp;
  places: Place[];
  translation: string;
  /** Of what stands in the sentence itself: the longest is the most particular. */
  weight: number;
}

interface Index {
  /** Without places, by their text. */
  whole: Map<string, string>;
  /** The most particular first. */
  entries: Entry[];
}

interface Found {
  text: string;
  /** Whether these are words of the other language and no value. */
  isSaid: boolean;
  /** How many characters stand in it as they were. */
  kept: number;
}

const MOST_KNOWN = 2_000;

/** Finds what a sentence of the service means in another language. */
export class Catalogue {
  readonly #groups: ReadonlyMap<Group, Index>;
  /** The same few are said again and again. */
  readonly #known = new Map<string, Found | undefined>();

  constructor(parts: readonly Said[]) {
    this.#groups = new Map(groups.map((group) => [group, toIndex(parts, group)]));
  }

  /** @returns undefined for what the service is not known to say */
  find(sentence: string): string | undefined {
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    return this.#look(sentence, "sentence")?.text;
  }

  #look(text: string, group: Group): Found | undefined {
    const key = `${group} ${text}`;
    if (!this.#known.has(key)) this.#known.set(key, this.#search(text, group));
    return this.#known.get(key);
  }

  /** Of all entries that fit, the one that says most of the text in the other language. */
  #search(text: string, group: Group): Found | undefined {
    const index = this.#groups.get(group);
    if (!index) throw new Error(`There is no group ${group}`);
    const whole = index.whole.get(text.toLowerCase());
    if (whole !== undefined) return { text: whole, isSaid: true, kept: 0 };
    let best: Found | undefined;
    for (const entry of index.entries) {
      const found = this.#fill(entry, text);
      if (found && (!best || found.kept < best.kept)) best = found;
    }
    return best ?? (group === "clause" ? this.#look(text, "sentence") : undefined);
  }

  #fill({ pattern, places, translation }: Entry, text: string): Found | undefined {
    const match = pattern.exec(text);
    if (!match) return undefined;
    const values = new Map<string, Found>();
    for (const [index, { name, group, mustBeKnown }] of places.entries()) {
      const value = match[index + 1] ?? "";
      // The whole once more would be looked up for ever.
      const isWhole = value.length === text.length && group === "sentence";
      const said = group && !isWhole ? this.#look(value, group) : undefined;
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
  const isSeam = HAN_END.test(before.trimEnd()) && HAN_START.test(after.trimStart());
  return isSaid && isSeam ? before.trimEnd() + after.trimStart() : before + after;
}

function toIndex(parts: readonly Said[], group: Group): Index {
  const sayings = parts.flatMap((part) => Object.entries(part[group] ?? {}));
  const whole = new Map<string, string>();
  const entries: Entry[] = [];
  for (const [text, translation] of sayings) {
    if (text.search(PLACE) === -1) whole.set(text.toLowerCase(), translation);
    else entries.push(toEntry(text, translation));
  }
  return { whole, entries: entries.toSorted((a, b) => b.weight - a.weight) };
}

function toEntry(text: string, translation: string): Entry {
  const places: Place[] = [];
  let source = "";
  let weight = 0;
  let at = 0;
  for (const { 0: place, 1: name = "", 2: group, 3: mark, index } of text.matchAll(PLACE)) {
    const before = text.slice(at, index);
    source += `${escape(before)}(.*?)`;
    weight += before.length;
    places.push({ name, group: group as Group | undefined, mustBeKnown: mark !== undefined });
    at = index + place.length;
  }
  const rest = text.slice(at);
  const pattern = new RegExp(`^${source}${escape(rest)}$`, "is");
  return { pattern, places, translation, weight: weight + rest.length };
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
