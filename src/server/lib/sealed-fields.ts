import { SealError, type SealedBox } from "./sealed-box.ts";

/** The settings of an account, as a flat JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Shorter ones would be half given away by their last characters. */
const SHORTEST_HINTED = 8;
const HINT_LENGTH = 4;
const UNKNOWN = "…";

/**
 * The fields as they are stored: texts under `names` are sealed.
 * @param place where they belong, say `callback_accounts:17`
 */
export function sealFields(
  box: SealedBox,
  fields: Fields,
  names: readonly string[],
  place: string,
): Fields {
  return mapTexts(fields, names, (text, name) => box.seal(text, `${place}:${name}`));
}

/** @throws SealError */
export function openFields(
  box: SealedBox,
  fields: Fields,
  names: readonly string[],
  place: string,
): Fields {
  return mapTexts(fields, names, (text, name) => box.open(text, `${place}:${name}`));
}

/**
 * The stored fields as they are answered: of a secret, that it is there, and its last characters;
 * the same of whatever cannot be opened any more.
 * @param names those that are sealed, the secrets among them
 */
export function showFields(
  box: SealedBox,
  fields: Fields,
  names: readonly string[],
  secrets: readonly string[],
  place: string,
): Fields {
  return mapTexts(fields, names, (sealed, name) => {
    try {
      const text = box.open(sealed, `${place}:${name}`);
      return secrets.includes(name) ? { set: true, hint: hintOf(text) } : text;
    } catch (error) {
      if (error instanceof SealError) return { set: true, hint: UNKNOWN };
      throw error;
    }
  });
}

/**
 * The open fields after a change: what is left out stays, null takes a field away, and a secret that
 * is sent back as it was answered stays too.
 */
export function mergeFields(before: Fields, given: Fields, secrets: readonly string[]): Fields {
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) merged.delete(name);
    else if (!secrets.includes(name) || typeof value !== "object") merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function hintOf(secret: string): string {
  return secret.length < SHORTEST_HINTED ? UNKNOWN : `…${secret.slice(-HINT_LENGTH)}`;
}

function mapTexts(
  fields: Fields,
  names: readonly string[],
  change: (text: string, name: string) => unknown,
): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      names.includes(name) && typeof value === "string" ? change(value, name) : value,
    ]),
  );
}
