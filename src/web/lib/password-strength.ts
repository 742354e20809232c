export type PasswordStrength = "weak" | "fair" | "good";

const FAIR_BITS = 45;
const GOOD_BITS = 65;

const alphabets: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[\p{P}\p{S}\p{Z}]/u, 33],
  [/[^\x00-\x7f]/, 100],
];

/**
 * How hard a password would be to guess, roughly: a hint, not a rule. Characters that repeat or follow
 * each other count little.
 */
export function judgeStrength(password: string): PasswordStrength {
  const characters = [...password];
  const fresh = characters.filter((character, index) => {
    const before = characters[index - 1];
    const step = before === undefined ? 9 : codeOf(character) - codeOf(before);
    return Math.abs(step) > 1;
  });
  const distinct = new Set(characters).size;
  const counted = Math.min(fresh.length, distinct * 2);
  const pool = alphabets.reduce((sum, [set, size]) => sum + (set.test(password) ? size : 0), 1);
  const bits = counted * Math.log2(pool);
  if (bits >= GOOD_BITS) return "good";
  return bits >= FAIR_BITS ? "fair" : "weak";
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
