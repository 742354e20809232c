import type { FieldError } from "../../shared/field-errors.ts";
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

/** Fields that are sealed, and those among them that are never answered. */
export interface FieldNames {
  sealed: readonly string[];
  secrets: readonly string[];
}

/**
 * The open fields after a change of stored ones: what is left out stays, null takes a field away, and
 * a secret that is sent back as it was answered stays too.
 * @returns `lost`: those that would stay and cannot be opened any more
 */
export function mergeFields(
  box: SealedBox,
  stored: Fields,
  given: Fields,
  { sealed, secrets }: FieldNames,
  place: string,
): { fields: Fields; lost: FieldError[] } {
  const merged = new Map(Object.entries(stored));
  const lost: FieldError[] = [];
  const changes = new Map(Object.entries(given).filter(([name, value]) => !isEcho(name, value)));
  for (const [name, value] of Object.entries(stored)) {
    if (changes.has(name) || !sealed.includes(name) || typeof value !== "string") continue;
    try {
      merged.set(name, box.open(value, `${place}:${name}`));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      lost.push({ path: name, message: "cannot be opened any more and must be given anew" });
    }
  }
  for (const [name, value] of changes) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  return { fields: Object.fromEntries(merged), lost };

  function isEcho(name: string, value: unknown): boolean {
    return secrets.includes(name) && typeof value === "object" && value !== null;
  }
}

/** The stored fields, all of them sealed by the current key. @throws SealError */
export function resealFields(
  box: SealedBox,
  stored: Fields,
  names: readonly string[],
  place: string,
): Fields {
  return mapTexts(stored, names, (sealed, name) => {
    const context = `${place}:${name}`;
    const plain = box.open(sealed, context);
    return box.keyIdOf(sealed) === box.keyId ? sealed : box.seal(plain, context);
  });
}

/** The ids of the keys that have sealed the stored fields, one for each field. */
export function keyIdsOf(box: SealedBox, stored: Fields, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const sealed = stored[name];
    return typeof sealed === "string" ? (box.keyIdOf(sealed) ?? []) : [];
  });
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
