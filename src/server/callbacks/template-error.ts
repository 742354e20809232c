/** A template that cannot be read, or whose result cannot be used. */
export class TemplateError extends Error {
  /** What was probably meant; undefined when nothing comes near. */
  readonly suggestion: string | undefined;

  constructor(message: string, suggestion?: string) {
    super(suggestion === undefined ? message : `${message}; did you mean ${suggestion}?`);
    this.name = "TemplateError";
    this.suggestion = suggestion;
  }
}

/** The one of `words` that `word` is most likely to mean, if any comes near. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const wanted = plain(word);
  const contained = words.find((each) => plain(each).includes(wanted));
  const [best] = words
    .map((each) => ({ each, distance: editDistance(wanted, plain(each)) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (best && best.distance <= Math.max(1, Math.floor(wanted.length / 4))) return best.each;
  return wanted.length > 1 ? contained : undefined;
}

/** Names are often written in another case or with other signs between their words. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Of Levenshtein: characters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (character === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
