import type { i18n } from "i18next";

/** A sentence of advice in the language of the page, and the language that it is in. */
export interface Advice {
  text: string;
  language: string;
}

/**
 * Says the advice of the service in the language of the page. The service advises in English; the words
 * of the page hold each of its sentences in both languages, and the English one says which it is.
 * What is not among them stays as it came.
 */
export function translateAdvice(
  sentence: string,
  english: Readonly<Record<string, string>>,
  words: Pick<i18n, "t" | "language">,
): Advice {
  for (const [key, pattern] of Object.entries(english)) {
    const values = matchPattern(pattern, sentence);
    if (!values) continue;
    const path = `said.${key}` as "said.silent";
    return { text: words.t(path, { ns: "diagnosis", ...values }), language: words.language };
  }
  return { text: sentence, language: "en" };
}

/** What stands in the sentence for each `{{name}}`; undefined when it is another sentence. */
function matchPattern(pattern: string, sentence: string): Record<string, string> | undefined {
  const source = pattern
    .split(/\{\{(\w+)\}\}/)
    .map((part, n) => (n % 2 === 0 ? escape(part) : `(?<${part}>.+?)`))
    .join("");
  const found = new RegExp(`^${source}$`).exec(sentence);
  return found ? { ...found.groups } : undefined;
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
