/** Whether a word is the key, in a time that does not depend on how much of it is right. */
export async function isKey(word: string, key: string): Promise<boolean> {
  const [given, wanted] = await Promise.all([digestOf(word), digestOf(key)]);
  // Every byte is looked at, whatever the ones before it were.
  return wanted.reduce((difference, byte, at) => difference | (byte ^ (given[at] ?? 0)), 0) === 0;
}

async function digestOf(word: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(word)));
}
