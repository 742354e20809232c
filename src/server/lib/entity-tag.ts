/** What a listed tag looks like (RFC 9110 §8.8.3). */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Whether `If-None-Match` names `tag`, by weak comparison (RFC 9110 §8.8.3.2, §13.1.2). */
export function isNamedBy(tag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch === tag || ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueOf(tag);
  for (const [, listed] of ifNoneMatch.matchAll(ENTITY_TAG)) if (listed === opaque) return true;
  return false;
}

function opaqueOf(tag: string): string {
  return tag.startsWith("W/") ? tag.slice("W/".length) : tag;
}
