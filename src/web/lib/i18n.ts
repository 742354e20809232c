import i18next, { type i18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { Stored } from "./stored.ts";

export const languages = ["en", "zh-CN"] as const;
export type Language = (typeof languages)[number];

const stored = new Stored("language");

const files = import.meta.glob<{ words: object }>("../locales/*/*.ts");

/** Loads the words of one feature in one language. */
const backend = {
  type: "backend" as const,
  async read(language: string, feature: string): Promise<object> {
    const load = files[`../locales/${language}/${feature}.ts`];
    if (!load) throw new Error(`There are no words of ${feature} in ${language}`);
    return (await load()).words;
  },
};

/** The words in the language chosen here before, or in the first one the browser names. */
export async function openWords(): Promise<i18n> {
  const words = i18next.createInstance();
  words.on("languageChanged", (language) => (document.documentElement.lang = language));
  await words
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: toLanguage([stored.read() ?? "", ...navigator.languages]),
      supportedLngs: languages,
      fallbackLng: false,
      load: "currentOnly",
      // What every page needs, all at once.
      ns: ["phrases", "errors", "shell"],
      defaultNS: "phrases",
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  return words;
}

/** The first of the wishes that can be met. */
export function toLanguage(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    if (/^zh\b/i.test(wish)) return "zh-CN";
    if (/^en\b/i.test(wish)) return "en";
  }
  return "en";
}

export async function chooseLanguage(words: i18n, language: Language): Promise<void> {
  stored.write(language);
  await words.changeLanguage(language);
}
