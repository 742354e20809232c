/** What the hot path must know of a request's headers. */
export interface PlainHeaders {
  contentType: string;
  contentLength: number;
  requestId: string | undefined;
}

/**
 * Reads the headers as they came, names and values in turn: the object that Node makes of them
 * takes longer than the rest of a small answer.
 * @returns undefined when something about them is unusual, an `Expect` or a header given twice
 */
export function readPlainHeaders(raw: readonly string[]): PlainHeaders | undefined {
  let host: string | undefined;
  let contentType: string | undefined;
  let contentLength: string | undefined;
  let requestId: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    const value = raw[at + 1] as string;
    switch (name.length) {
      case "host".length:
        if (name.toLowerCase() !== "host") break;
        if (host !== undefined) return undefined;
        host = value;
        break;
      case "expect".length:
        if (name.toLowerCase() === "expect") return undefined;
        break;
      case "content-type".length: {
        const lower = name.toLowerCase();
        if (lower === "content-type") {
          if (contentType !== undefined) return undefined;
          contentType = value;
        } else if (lower === "x-request-id") {
          if (requestId !== undefined) return undefined;
          requestId = value;
        }
        break;
      }
      case "content-length".length:
        if (name.toLowerCase() === "content-length") contentLength = value;
        break;
    }
  }
  if (host === undefined) return undefined;
  return {
    contentType: contentType ?? "",
    contentLength: contentLength === undefined ? 0 : Number(contentLength),
    requestId,
  };
}
