import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { SentencePattern, toSameCase } from "../../../src/web/lib/sentence-pattern.ts";
import { SentenceSearch } from "../../../src/web/lib/sentence-search.ts";
import { catalogue } from "../../../src/web/locales/zh-CN/said/catalogue.ts";

/** As a regular expression says it, which goes back and forth. */
function slowly(sentence: string, text: string): string[] | undefined {
  const fixed = sentence
    .split("{x}")
    .map((part) => part.replaceAll(/[^\w\s]/g, String.raw`\$&`))
    .join("(.*?)");
  return new RegExp(`^${fixed}$`, "is").exec(text)?.slice(1);
}

function quickly(sentence: string, text: string): string[] | undefined {
  const [pattern, lower] = [new SentencePattern(sentence), toSameCase(text)];
  return pattern.frames(lower) ? pattern.valuesIn(text, lower) : undefined;
}

test("a sentence fits the texts that a regular expression fits, with the same values", () => {
  let fitting = 0;
  const check = (sentence: string, text: string): void => {
    const values = slowly(sentence, text);
    if (values) fitting += 1;
    expect([sentence, text, quickly(sentence, text)]).toEqual([sentence, text, values]);
  };
  // So few signs that much fits, and much nearly.
  const few = fc.constantFrom("a", "A", ":");
  const short = fc.string({ unit: few, maxLength: 5 });
  fc.assert(fc.property(sentencesOf(few), short, check), { numRuns: 2000 });
  const many = fc.constantFrom("a", "B", " ", ":", "ſ", "İ", "\n");
  const value = fc.string({ unit: many, maxLength: 12 });
  const values = fc.array(value, { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(sentencesOf(many), values, (sentence, given) => {
      const left = [...given];
      check(sentence, sentence.replaceAll("{x}", () => left.pop() ?? "").toUpperCase());
    }),
    { numRuns: 500 },
  );
  expect(fitting).toBeGreaterThan(500);
});

describe("what others have said", () => {
  /** The longest error that is stored of a run, characters. */
  const LONGEST = 65_536;
  const MOST_READ = 2_100_000;
  const pieces = [": ", " (", ", ", "; ", " and ", " has ", " answered ", " a: b (c) ", " A: x; "];

  /** Characters that are looked through until a text is found or given up. */
  function readFor(text: string): number {
    let read = 0;
    const count = (length: number): void => {
      read += length;
      // Rather than for minutes.
      if (read > MOST_READ) throw new Error(`${text.slice(0, 40)} is read too often`);
    };
    const valuesIn = Reflect.get(SentencePattern.prototype, "valuesIn");
    const look = Reflect.get(SentenceSearch.prototype, "look");
    const pattern = vi.spyOn(SentencePattern.prototype, "valuesIn");
    pattern.mockImplementation(function (this: SentencePattern, given, lower) {
      count(given.length);
      return valuesIn.call(this, given, lower);
    });
    const search = vi.spyOn(SentenceSearch.prototype, "look");
    search.mockImplementation(function (this: SentenceSearch, given, group) {
      count(given.length);
      return look.call(this, given, group);
    });
    try {
      catalogue.find(text);
    } finally {
      pattern.mockRestore();
      search.mockRestore();
    }
    return read;
  }

  test("is read for a while only, however it is made", () => {
    for (const opening of ["", "Cloudflare answered 400: ", "2 of 3 records failed. "]) {
      for (const piece of pieces) {
        for (const length of [500, 5_000, LONGEST]) {
          expect(readFor(opening + fill(piece, length))).toBeGreaterThan(0);
        }
      }
    }
  });

  test("leaves the words before it Chinese, whatever its length", () => {
    for (const piece of pieces) {
      const text = `Cloudflare answered 400: ${fill(piece, LONGEST - 100).trim()}`;
      expect(catalogue.find(text)?.startsWith("Cloudflare 返回 400：")).toBe(true);
    }
  });

  test("costs little where it is what is said on most days, and nothing the second time", () => {
    const record =
      "home.example.com A: Cloudflare answered 400: Invalid format for header (code 6)";
    const text = `8 of 8 records failed. ${Array<string>(8).fill(record).join("; ")}`;
    expect(readFor(text)).toBeLessThan(500_000);
    expect(readFor(text)).toBe(0);
    const chinese = "home.example.com A：Cloudflare 返回 400：Invalid format for header（代码 6）";
    const all = Array<string>(8).fill(chinese).join("；");
    expect(catalogue.find(text)).toBe(`8 条记录中有 8 条失败。${all}`);
  });
});

function fill(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** With one place at least. */
function sentencesOf(signs: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.string({ unit: signs, maxLength: 2 }), fc.constant("{x}"));
  const half = fc.array(piece, { maxLength: 3 }).map((all) => all.join(""));
  return fc.tuple(half, half).map((both) => both.join("{x}"));
}
