import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";

const WEB = join(import.meta.dirname, "../../../src/web");

/** What is written alike in both languages: names, units, examples. */
const properNames: ReadonlySet<string> = new Set([
  "API",
  "Cloudflare",
  "deSEC",
  "Duck DNS",
  "NAT",
  "PowerDNS",
  "PROXY protocol",
  "TTL",
  "URL",
  "Webhook",
]);

/** Keys whose other forms i18next chooses by number. */
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

type Words = { [key: string]: string | Words };

async function read(language: string): Promise<Map<string, Map<string, string>>> {
  const files = globSync(`locales/${language}/*.ts`, { cwd: WEB });
  const found = await Promise.all(
    files.map(async (file) => {
      const { words } = (await import(join(WEB, file))) as { words: Words };
      return [basename(file, ".ts"), new Map(flatten(words))] as const;
    }),
  );
  return new Map(found);
}

function flatten(words: Words, before = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[before + key, value]] : flatten(value, `${before}${key}.`),
  );
}

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name ?? "").toSorted();
const tags = (text: string): string[] =>
  [...text.matchAll(/<\/?(\w+)/g)].map(([tag]) => tag).toSorted();

const english = await read("en");
const chinese = await read("zh-CN");

/** Everything in the sources that may name a key, with what precedes a value put into it. */
const sources = globSync("**/*.{ts,tsx}", { cwd: WEB, exclude: ["locales/{en,zh-CN}/**"] }).map(
  (file) => readFileSync(join(WEB, file), "utf8"),
);
const literals = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/["'`]([\w.:-]+)["'`]/g)].map(([, key]) => key ?? ""),
  ),
);
const beginnings = [
  ...new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/`([\w.:-]+[._])\$\{/g)].map(([, key]) => key ?? ""),
    ),
  ),
];
const endings = [
  ...new Set(
    sources.flatMap((source) => [...source.matchAll(/\}(\.[\w.]+)`/g)].map(([, key]) => key ?? "")),
  ),
];

function isUsed(feature: string, key: string): boolean {
  const bare = key.replace(PLURAL, "");
  return [bare, `${feature}:${bare}`, key].some(
    (each) =>
      literals.has(each) ||
      beginnings.some((beginning) => each.startsWith(beginning)) ||
      endings.some((ending) => each.endsWith(ending)),
  );
}

describe("the words of the web app", () => {
  test("stand in both languages", () => {
    expect(english.size).toBeGreaterThan(5);
    expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted());
    for (const [feature, words] of english) {
      const wanted = [...words.keys()].filter((key) => !key.endsWith("_one"));
      const there = [...(chinese.get(feature)?.keys() ?? [])];
      expect({ feature, keys: there.toSorted() }).toEqual({ feature, keys: wanted.toSorted() });
    }
  });

  test("are translated, or are names that need no translation", () => {
    const untranslated = [...english].flatMap(([feature, words]) =>
      [...words]
        .filter(([key, text]) => {
          const other = chinese.get(feature)?.get(key);
          const isText = /[A-Za-z]{2}/.test(text.replaceAll(/\{\{.*?\}\}|<.*?>/g, ""));
          return isText && other === text && !properNames.has(text);
        })
        .map(([key, text]) => `${feature}: ${key}: ${text}`),
    );
    expect(untranslated).toEqual([]);
  });

  test("are not empty, and hold the same values and marks in both languages", () => {
    const different = [...english].flatMap(([feature, words]) =>
      [...words].flatMap(([key, text]) => {
        const other = chinese.get(feature)?.get(key);
        if (other === undefined) return [];
        const isSame =
          text.trim() !== "" &&
          other.trim() !== "" &&
          String(placeholders(text)) === String(placeholders(other)) &&
          String(tags(text)) === String(tags(other));
        return isSame ? [] : [`${feature}: ${key}`];
      }),
    );
    expect(different).toEqual([]);
  });

  test("are all used", () => {
    const unused = [...english].flatMap(([feature, words]) =>
      [...words.keys()].filter((key) => !isUsed(feature, key)).map((key) => `${feature}: ${key}`),
    );
    expect(unused).toEqual([]);
  });

  test("are there wherever one is asked for by its whole name", () => {
    const all = new Set(
      [...english].flatMap(([feature, words]) =>
        [...words.keys()].flatMap((key) => [
          key.replace(PLURAL, ""),
          `${feature}:${key.replace(PLURAL, "")}`,
        ]),
      ),
    );
    const asked = sources.flatMap((source) =>
      [...source.matchAll(/(?<![\w.])t\(\s*"([^"]+)"/g)].map(([, key]) => key ?? ""),
    );
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter((key) => !all.has(key))).toEqual([]);
  });
});
