import type { i18n } from "i18next";
import type { Catalogue } from "./catalogue.ts";
import type { Language } from "./i18n.ts";

/** The service itself says everything in English. */
const catalogues: Readonly<Partial<Record<string, () => Promise<Catalogue>>>> = {
  "zh-CN": async () => (await import("../locales/zh-CN/said/catalogue.ts")).catalogue,
} satisfies Partial<Record<Language, () => Promise<Catalogue>>>;

/** A sentence, and the language that it is in. */
export interface Said {
  text: string;
  language: string;
}

/** Says in the language of the page what the service says in English; what is new to it stays as it is. */
export class ServiceWords {
  readonly #words: Pick<i18n, "language">;
  readonly #loaded = new Map<string, Catalogue>();
  readonly #listeners = new Set<() => void>();

  constructor(words: Pick<i18n, "language">) {
    this.#words = words;
  }

  /** Loads what the language of the page needs. English needs nothing. */
  readonly prepare = async (): Promise<void> => {
    const { language } = this.#words;
    if (this.#loaded.has(language)) return;
    const load = catalogues[language];
    if (!load) return;
    try {
      this.#loaded.set(language, await load());
    } catch {
      // Without it the sentences stay English, and the next one tries again.
      return;
    }
    for (const listener of this.#listeners) listener();
  };

  /** As far as the words are loaded. */
  say(sentence: string): Said {
    const { language } = this.#words;
    const text = this.#loaded.get(language)?.find(sentence);
    return text === undefined ? { text: sentence, language: "en" } : { text, language };
  }

  /** @returns an end to it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another number whenever `say` may say more than before. */
  readonly version = (): number => this.#loaded.size;
}
