const SHORTEST = 8;
const LONGEST = 256;

/** What is wrong with a new password, in words; undefined when nothing is. Any character counts. */
export function flawOfPassword(password: string): string | undefined {
  const length = [...password].length;
  if (length < SHORTEST) return `must have at least ${SHORTEST} characters`;
  if (length > LONGEST) return `must have at most ${LONGEST} characters`;
  return undefined;
}
