import { parseRanges, type Range } from "../probe/target-policy.ts";

/** Of the environment variables. */
export const PREFIX = "WAYPOST_";

/** What keeps the function from starting, in one line for whoever starts it. */
export class StartError extends Error {}

/** A setting that cannot be used. The line names it. */
export class SettingError extends StartError {
  constructor(name: string, sentence: string) {
    super(`${PREFIX}${name} ${sentence}`);
  }
}

/** The value of a setting, trimmed; empty when it is not set. */
export type Read = (name: string) => string;

/** What can be set wherever the function runs. */
export interface CheckSettings {
  /** Undefined: everybody may call. */
  apiKey: string | undefined;
  /** Targets that are open under any policy. */
  allow: readonly Range[];
  /** Whether the limits per caller hold. */
  rateLimit: boolean;
}

/** @throws SettingError */
export function readCheckSettings(read: Read): CheckSettings {
  return {
    apiKey: toKey("CHECK_API_KEY", read),
    allow: toRanges("CHECK_ALLOW", read),
    rateLimit: toChoice("RATE_LIMIT", read, { on: true, off: false }),
  };
}

/** An empty value is the first choice. @throws SettingError */
export function toChoice<T>(name: string, read: Read, choices: Readonly<Record<string, T>>): T {
  const words = Object.keys(choices);
  const word = read(name) || (words[0] ?? "");
  const choice = Object.hasOwn(choices, word) ? choices[word] : undefined;
  if (choice === undefined) throw new SettingError(name, `must be ${words.join(" or ")}`);
  return choice;
}

/** @throws SettingError */
export function toRanges(name: string, read: Read): Range[] {
  const ranges = parseRanges(read(name));
  if (ranges) return ranges;
  throw new SettingError(name, "must be a comma-separated list of addresses and CIDR ranges");
}

function toKey(name: string, read: Read): string | undefined {
  const value = read(name);
  if (value === "") return undefined;
  if (/^[\x21-\x7e]{1,256}$/.test(value)) return value;
  throw new SettingError(
    name,
    "must be 1–256 characters of ASCII without spaces and control characters",
  );
}
