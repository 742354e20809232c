const nothing: readonly Uint8Array[] = [];

/** The body of a response as text; undefined when it is larger than `limitBytes` or no UTF-8. */
export async function readLimited(
  response: Response,
  limitBytes: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop gives the rest up.
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const chunk of body ?? nothing) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) return undefined;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
}
